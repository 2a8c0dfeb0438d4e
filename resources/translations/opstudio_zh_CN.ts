<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>About</name>
    <message>
        <source>Checks custom operators for PyTorch and ONNX Runtime at every save.</source>
        <translation>每次保存都检查 PyTorch 与 ONNX Runtime 的自定义算子。</translation>
    </message>
    <message>
        <source>Releases</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>what</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>release</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>Licences</source>
        <translation>许可证</translation>
    </message>
    <message>
        <source>OpStudio uses these packages as they are:</source>
        <translation>OpStudio 原样使用这些软件包：</translation>
    </message>
    <message>
        <source>package</source>
        <translation>软件包</translation>
    </message>
    <message>
        <source>licence</source>
        <translation>许可证</translation>
    </message>
    <message>
        <source>Qt is used as a library under the LGPL 3; its sources are at code.qt.io.</source>
        <translation>Qt 按 LGPL 3 以库的形式使用；其源码在 code.qt.io。</translation>
    </message>
    <message>
        <source>About OpStudio</source>
        <translation>关于 OpStudio</translation>
    </message>
</context>
<context>
    <name>Action</name>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Save all</source>
        <translation>全部保存</translation>
    </message>
    <message>
        <source>Close tab</source>
        <translation>关闭标签页</translation>
    </message>
    <message>
        <source>Next tab</source>
        <translation>下一个标签页</translation>
    </message>
    <message>
        <source>Previous tab</source>
        <translation>上一个标签页</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>查找</translation>
    </message>
    <message>
        <source>Find and replace</source>
        <translation>查找和替换</translation>
    </message>
    <message>
        <source>Find next</source>
        <translation>查找下一个</translation>
    </message>
    <message>
        <source>Find previous</source>
        <translation>查找上一个</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>Run all stages again</source>
        <translation>重新运行全部阶段</translation>
    </message>
    <message>
        <source>saves the files of the operator first</source>
        <translation>先保存该算子的文件</translation>
    </message>
    <message>
        <source>Check all operators</source>
        <translation>检查所有算子</translation>
    </message>
    <message>
        <source>Cancel the check of this operator</source>
        <translation>取消此算子的检查</translation>
    </message>
    <message>
        <source>Cancel all checks</source>
        <translation>取消所有检查</translation>
    </message>
    <message>
        <source>Trust this workspace…</source>
        <translation>信任此工作区…</translation>
    </message>
    <message>
        <source>New operator…</source>
        <translation>新建算子…</translation>
    </message>
    <message>
        <source>Look for operators again</source>
        <translation>重新查找算子</translation>
    </message>
    <message>
        <source>Go to file…</source>
        <translation>转到文件…</translation>
    </message>
    <message>
        <source>Go to operator…</source>
        <translation>转到算子…</translation>
    </message>
    <message>
        <source>Go to problem…</source>
        <translation>转到问题…</translation>
    </message>
    <message>
        <source>Go to line…</source>
        <translation>转到行…</translation>
    </message>
    <message>
        <source>Next problem</source>
        <translation>下一个问题</translation>
    </message>
    <message>
        <source>Previous problem</source>
        <translation>上一个问题</translation>
    </message>
    <message>
        <source>Command palette…</source>
        <translation>命令面板…</translation>
    </message>
    <message>
        <source>Open workspace…</source>
        <translation>打开工作区…</translation>
    </message>
    <message>
        <source>Open a recent workspace…</source>
        <translation>打开最近的工作区…</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>帮助</translation>
    </message>
    <message>
        <source>About OpStudio</source>
        <translation>关于 OpStudio</translation>
    </message>
    <message>
        <source>Explain the export</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>runs both exporters; saves the files first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a model to export…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel the export</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open model…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go to node…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Welcome</source>
        <translation>欢迎页</translation>
    </message>
    <message>
        <source>Reset the layout</source>
        <translation>恢复默认布局</translation>
    </message>
    <message>
        <source>Tab leaves the text</source>
        <translation>Tab 离开文本</translation>
    </message>
    <message>
        <source>Larger text in the editor</source>
        <translation>放大编辑器文字</translation>
    </message>
    <message>
        <source>Smaller text in the editor</source>
        <translation>缩小编辑器文字</translation>
    </message>
    <message>
        <source>Text of the editor in its usual size</source>
        <translation>编辑器文字恢复通常大小</translation>
    </message>
    <message>
        <source>Save and check after a pause in typing</source>
        <translation>停止输入后自动保存并检查</translation>
    </message>
    <message>
        <source>Show or hide {0}</source>
        <translation>显示或隐藏：{0}</translation>
    </message>
    <message>
        <source>Go to panel {0}</source>
        <translation>转到面板：{0}</translation>
    </message>
    <message>
        <source>Go to the pipeline</source>
        <translation>转到流水线</translation>
    </message>
    <message>
        <source>Go to the editor</source>
        <translation>转到编辑器</translation>
    </message>
    <message>
        <source>Theme of the system</source>
        <translation>跟随系统主题</translation>
    </message>
    <message>
        <source>Light theme</source>
        <translation>浅色主题</translation>
    </message>
    <message>
        <source>Dark theme</source>
        <translation>深色主题</translation>
    </message>
    <message>
        <source>Language of the system</source>
        <translation>跟随系统语言</translation>
    </message>
    <message>
        <source>Language: {0}</source>
        <translation>语言：{0}</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>Cut</source>
        <translation>剪切</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Paste</source>
        <translation>粘贴</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>全选</translation>
    </message>
    <message>
        <source>Leave this graph of the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fit the graph into view</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the graph at 100 %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Enlarge the graph</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reduce the graph</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next node that nobody implements</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Previous node that nobody implements</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open all groups of the graph</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close the groups as at first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save the picture of the graph…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the picture of the graph</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Perspective {0}</source>
        <translation>视角：{0}</translation>
    </message>
</context>
<context>
    <name>AttemptHead</name>
    <message>
        <source>Open in Graph</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open the file of this exporter in the perspective Graph</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>CanvasMenu</name>
    <message>
        <source>Copy the name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the operator</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Producers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Consumers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open this group</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Enter {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close the group {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} more</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ColourButton</name>
    <message>
        <source>What colours tell</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Colour by kind of operator</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Colour by domain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Colour by who implements a node</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Colours</name>
    <message>
        <source>groups of several kinds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>inputs and outputs</source>
        <translation type="unfinished">输入与输出</translation>
    </message>
    <message>
        <source>custom domains</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not known yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nobody</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>functions of the file</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Delta</name>
    <message>
        <source>not a number</source>
        <translation>不是数</translation>
    </message>
    <message>
        <source>infinite</source>
        <translation>无穷大</translation>
    </message>
    <message>
        <source>over {0}</source>
        <translation>超过 {0}</translation>
    </message>
    <message>
        <source>below {0}</source>
        <translation>小于 {0}</translation>
    </message>
    <message>
        <source>over {0}×</source>
        <translation>超过 {0} 倍</translation>
    </message>
    <message>
        <source>was {0}</source>
        <translation>原为 {0}</translation>
    </message>
    <message>
        <source>Against build {0}, the baseline: {1}.</source>
        <translation>与基线（构建 {0}）相比：{1}。</translation>
    </message>
    <message>
        <source>error not comparable</source>
        <translation>误差无法比较</translation>
    </message>
    <message>
        <source>the same error</source>
        <translation>误差相同</translation>
    </message>
    <message>
        <source>error {0} of the tolerance ({1})</source>
        <translation>误差为容差的 {0}（{1}）</translation>
    </message>
    <message>
        <source>kernel time not comparable</source>
        <translation>内核时间无法比较</translation>
    </message>
    <message>
        <source>the same kernel time within its spread</source>
        <translation>内核时间在波动范围内相同</translation>
    </message>
    <message>
        <source>kernel time {0}</source>
        <translation>内核时间 {0}</translation>
    </message>
    <message>
        <source>size not comparable</source>
        <translation>大小无法比较</translation>
    </message>
    <message>
        <source>the same size</source>
        <translation>大小相同</translation>
    </message>
    <message>
        <source>size {0}</source>
        <translation>大小 {0}</translation>
    </message>
</context>
<context>
    <name>Details</name>
    <message>
        <source>not given, though it must be</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not given</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attributes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>that of the function&apos;s attribute {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>being read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>and {0} more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>  the rest is left out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Histogram of {0} values from {1} to {2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0}: {1} elements</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} to {1}: {2} elements</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>elements in each of {0} ranges</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>elements</source>
        <translation type="unfinished">元素数</translation>
    </message>
    <message>
        <source>Operator sets</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Metadata</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Place</source>
        <translation type="unfinished">位置</translation>
    </message>
    <message>
        <source>Function</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Overload</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nested graph</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Documentation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back to the graph around it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back to the main graph</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Size</source>
        <translation type="unfinished">大小</translation>
    </message>
    <message>
        <source>Format</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>IR version</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Producer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Domain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model version</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Graphs for training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} tensors, {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Outputs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nodes by who implements them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nodes by domain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nodes by operator</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Version</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Graph</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Given to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Operator</source>
        <translation type="unfinished">算子</translation>
    </message>
    <message>
        <source>the file does not import the domain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>defined since {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nobody implements it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Implemented by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A function of the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Library</source>
        <translation type="unfinished">库</translation>
    </message>
    <message>
        <source>Runtime</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Provider</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Since version</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>By way of</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not all types are known: that a kernel takes them is an assumption.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cause</source>
        <translation type="unfinished">原因</translation>
    </message>
    <message>
        <source>Fails at</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Contract</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fix</source>
        <translation type="unfinished">修复</translation>
    </message>
    <message>
        <source>What comes close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Finding</source>
        <translation type="unfinished">诊断</translation>
    </message>
    <message>
        <source>the import of the domain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the domain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the operator&apos;s name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the version</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>inputs, outputs and attributes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the types of the inputs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the shapes of the inputs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the execution provider</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the kernel&apos;s types</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the making of the kernel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>left out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing in the file makes it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a constant</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an input of the graph</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>from </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, output {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>to </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an output of the graph</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nobody reads it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Module</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Source</source>
        <translation type="unfinished">源码</translation>
    </message>
    <message>
        <source>Notes of the exporter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all ({0} letters)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Constant</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Made by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} stored</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Elements</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stored</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The values cannot be read: {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Problem</source>
        <translation type="unfinished">问题</translation>
    </message>
    <message>
        <source>Storage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nowhere</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in the model file, from byte {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in the model file, as {0}, from byte {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>from byte {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Statistics</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compute them from all elements</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Minimum</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Maximum</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mean</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Standard deviation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Zeros</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>more of {0}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>DifferencePage</name>
    <message>
        <source>against the build before</source>
        <translation>与上一次构建比较</translation>
    </message>
    <message>
        <source>against the baseline</source>
        <translation>与基线比较</translation>
    </message>
    <message>
        <source>against the files as they are now</source>
        <translation>与当前文件比较</translation>
    </message>
    <message>
        <source>What the build is compared with</source>
        <translation>比较对象</translation>
    </message>
    <message>
        <source>Differences</source>
        <translation>差异</translation>
    </message>
    <message>
        <source>No build is selected</source>
        <translation>未选择构建</translation>
    </message>
    <message>
        <source>Select one in the panel History.</source>
        <translation>请在“历史”面板中选择一次构建。</translation>
    </message>
    <message>
        <source>There is no build before it</source>
        <translation>之前没有构建</translation>
    </message>
    <message>
        <source>No baseline is pinned</source>
        <translation>尚未固定基线</translation>
    </message>
    <message>
        <source>Pin a build in the panel History to compare with it.</source>
        <translation>在“历史”面板中固定一次构建，即可与之比较。</translation>
    </message>
    <message>
        <source>The sources are the same</source>
        <translation>源码相同</translation>
    </message>
    <message>
        <source>From build {0} to the files as they are now</source>
        <translation>从构建 {0} 到当前文件</translation>
    </message>
    <message>
        <source>From build {0} to build {1}</source>
        <translation>从构建 {0} 到构建 {1}</translation>
    </message>
    <message>
        <source>new</source>
        <translation>新增</translation>
    </message>
    <message>
        <source>removed</source>
        <translation>已删除</translation>
    </message>
    <message>
        <source>changed; too large, or no text</source>
        <translation>已改动；文件过大或不是文本</translation>
    </message>
</context>
<context>
    <name>EditorArea</name>
    <message>
        <source>No file is open</source>
        <translation>没有打开的文件</translation>
    </message>
    <message>
        <source>The files of the selected operator appear here.</source>
        <translation>所选算子的文件会显示在这里。</translation>
    </message>
</context>
<context>
    <name>EditorPage</name>
    <message>
        <source>Read only: the file holds characters that the editor cannot keep.</source>
        <translation>只读：文件中有编辑器无法原样保留的字符。</translation>
    </message>
    <message>
        <source>d MMM yyyy, HH:mm</source>
        <comment>a date and a time, as Qt writes them</comment>
        <translation>yyyy年M月d日 HH:mm</translation>
    </message>
    <message>
        <source>There is unsaved text of {0}.</source>
        <translation>发现 {0} 未保存的文本。</translation>
    </message>
    <message>
        <source>Restore it</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Discard it</source>
        <translation>丢弃</translation>
    </message>
    <message>
        <source>{0} was changed by another program, and you have changes of your own.</source>
        <translation>{0} 已被其他程序修改，而您也有未保存的改动。</translation>
    </message>
    <message>
        <source>Load that version</source>
        <translation>载入新版本</translation>
    </message>
    <message>
        <source>Keep mine</source>
        <translation>保留我的改动</translation>
    </message>
    <message>
        <source>{0} was deleted or moved by another program. The text is still here.</source>
        <translation>{0} 已被其他程序删除或移动。文本仍保留在这里。</translation>
    </message>
    <message>
        <source>Save it again</source>
        <translation>重新保存</translation>
    </message>
</context>
<context>
    <name>Evidence</name>
    <message>
        <source>Calls</source>
        <translation>调用</translation>
    </message>
    <message>
        <source>Cases</source>
        <translation>用例</translation>
    </message>
    <message>
        <source>Command lines</source>
        <translation>命令行</translation>
    </message>
    <message>
        <source>Defaults</source>
        <translation>默认值</translation>
    </message>
    <message>
        <source>Defined instead</source>
        <translation>实际定义</translation>
    </message>
    <message>
        <source>Dispatcher entries</source>
        <translation>分发器条目</translation>
    </message>
    <message>
        <source>Errors</source>
        <translation>误差</translation>
    </message>
    <message>
        <source>Levels</source>
        <translation>级别</translation>
    </message>
    <message>
        <source>Library</source>
        <translation>库</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Published</source>
        <translation>已发布</translation>
    </message>
    <message>
        <source>Reports</source>
        <translation>报告</translation>
    </message>
    <message>
        <source>Run below autograd, in place of the operator</source>
        <translation>在 autograd 之下代替算子运行的内容</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Schema</source>
        <translation>Schema</translation>
    </message>
    <message>
        <source>Second witness</source>
        <translation>第二佐证</translation>
    </message>
    <message>
        <source>Sessions</source>
        <translation>会话</translation>
    </message>
    <message>
        <source>Shapes side by side</source>
        <translation>形状对照</translation>
    </message>
    <message>
        <source>Tests</source>
        <translation>测试</translation>
    </message>
    <message>
        <source>The model of each session</source>
        <translation>各会话的模型</translation>
    </message>
    <message>
        <source>Timings</source>
        <translation>计时</translation>
    </message>
    <message>
        <source>Tolerances</source>
        <translation>容差</translation>
    </message>
    <message>
        <source>What it is checked with</source>
        <translation>检查所用的样本</translation>
    </message>
    <message>
        <source>What the tools printed</source>
        <translation>工具的输出</translation>
    </message>
    <message>
        <source>What was timed</source>
        <translation>计时内容</translation>
    </message>
    <message>
        <source>Worst elements</source>
        <translation>误差最大的元素</translation>
    </message>
    <message>
        <source>The stage has not run yet.</source>
        <translation>此阶段尚未运行。</translation>
    </message>
    <message>
        <source>The contract cannot be read now.</source>
        <translation>当前无法读取契约。</translation>
    </message>
    <message>
        <source>Nothing was kept of it: it was broken off, or tidied away.</source>
        <translation>没有保留其结果：运行被中断，或已被清理。</translation>
    </message>
    <message>
        <source>absolute</source>
        <translation>绝对误差</translation>
    </message>
    <message>
        <source>allowed</source>
        <translation>允许值</translation>
    </message>
    <message>
        <source>artifact</source>
        <translation>构建产物</translation>
    </message>
    <message>
        <source>attribute</source>
        <translation>属性</translation>
    </message>
    <message>
        <source>attributes</source>
        <translation>属性</translation>
    </message>
    <message>
        <source>case</source>
        <translation>用例</translation>
    </message>
    <message>
        <source>compiled in</source>
        <translation>编译耗时</translation>
    </message>
    <message>
        <source>contender</source>
        <translation>对照</translation>
    </message>
    <message>
        <source>custom nodes</source>
        <translation>自定义节点</translation>
    </message>
    <message>
        <source>differ</source>
        <translation>不一致</translation>
    </message>
    <message>
        <source>dispatch key</source>
        <translation>分发键</translation>
    </message>
    <message>
        <source>domain</source>
        <translation>域</translation>
    </message>
    <message>
        <source>element</source>
        <translation>元素</translation>
    </message>
    <message>
        <source>elements</source>
        <translation>元素数</translation>
    </message>
    <message>
        <source>error</source>
        <translation>误差</translation>
    </message>
    <message>
        <source>expected</source>
        <translation>期望值</translation>
    </message>
    <message>
        <source>file</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>got</source>
        <translation>实际值</translation>
    </message>
    <message>
        <source>inputs</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>inputs there</source>
        <translation>该处输入</translation>
    </message>
    <message>
        <source>kind</source>
        <translation>种类</translation>
    </message>
    <message>
        <source>largest</source>
        <translation>最大</translation>
    </message>
    <message>
        <source>level</source>
        <translation>级别</translation>
    </message>
    <message>
        <source>library</source>
        <translation>库</translation>
    </message>
    <message>
        <source>median</source>
        <translation>中位数</translation>
    </message>
    <message>
        <source>name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>of tolerance</source>
        <translation>占容差</translation>
    </message>
    <message>
        <source>operator</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>outcome</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>outputs</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>peak memory</source>
        <translation>峰值内存</translation>
    </message>
    <message>
        <source>place</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>providers</source>
        <translation>执行提供者</translation>
    </message>
    <message>
        <source>real</source>
        <translation>实际</translation>
    </message>
    <message>
        <source>reference</source>
        <translation>参考值</translation>
    </message>
    <message>
        <source>relative</source>
        <translation>相对误差</translation>
    </message>
    <message>
        <source>sample</source>
        <translation>样本</translation>
    </message>
    <message>
        <source>size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>symbol</source>
        <translation>符号</translation>
    </message>
    <message>
        <source>type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>types</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>version</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>Largest errors</source>
        <translation>最大误差</translation>
    </message>
    <message>
        <source>The operator alone, of standard nodes</source>
        <translation>仅由标准节点构成的算子</translation>
    </message>
    <message>
        <source>backward kernel</source>
        <translation>反向内核</translation>
    </message>
    <message>
        <source>beside</source>
        <translation>对比</translation>
    </message>
    <message>
        <source>caller</source>
        <translation>调用方</translation>
    </message>
    <message>
        <source>calls</source>
        <translation>调用次数</translation>
    </message>
    <message>
        <source>changed inputs</source>
        <translation>被改写的输入</translation>
    </message>
    <message>
        <source>contract</source>
        <translation>契约</translation>
    </message>
    <message>
        <source>disagrees at</source>
        <translation>不一致处</translation>
    </message>
    <message>
        <source>in</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>inferred</source>
        <translation>推断</translation>
    </message>
    <message>
        <source>kernel of its own</source>
        <translation>自有内核</translation>
    </message>
    <message>
        <source>layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>left</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>mean, and the reference&apos;s</source>
        <translation>平均值（自身 / 参考）</translation>
    </message>
    <message>
        <source>moved</source>
        <translation>已移动</translation>
    </message>
    <message>
        <source>numerical</source>
        <translation>数值差分</translation>
    </message>
    <message>
        <source>registered</source>
        <translation>已注册</translation>
    </message>
    <message>
        <source>runs</source>
        <translation>运行次数</translation>
    </message>
    <message>
        <source>second witness</source>
        <translation>第二佐证</translation>
    </message>
    <message>
        <source>shared memory</source>
        <translation>共享内存</translation>
    </message>
    <message>
        <source>test</source>
        <translation>测试</translation>
    </message>
    <message>
        <source>tool</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>ONNX&apos;s checker</source>
        <translation>ONNX 检查器</translation>
    </message>
    <message>
        <source>asked</source>
        <translation>请求</translation>
    </message>
    <message>
        <source>exported in</source>
        <translation>导出耗时</translation>
    </message>
    <message>
        <source>imports</source>
        <translation>导入</translation>
    </message>
    <message>
        <source>inputs and outputs</source>
        <translation>输入与输出</translation>
    </message>
    <message>
        <source>model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>samples</source>
        <translation>样本</translation>
    </message>
    <message>
        <source>threads</source>
        <translation>线程数</translation>
    </message>
    <message>
        <source>version of compiler</source>
        <translation>编译器版本</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>what</source>
        <translation>内容</translation>
    </message>
</context>
<context>
    <name>EvidencePanel</name>
    <message>
        <source>Copy all about this result: versions, flags, commands, hashes</source>
        <translation>复制此结果的全部信息：版本、编译选项、命令、哈希</translation>
    </message>
    <message>
        <source>Copy all about this result</source>
        <translation>复制此结果的全部信息</translation>
    </message>
    <message>
        <source>This stage keeps no evidence</source>
        <translation>此阶段不保留证据</translation>
    </message>
    <message>
        <source>Build {0}, which is selected in the history.</source>
        <translation>这是历史中所选的构建 {0}。</translation>
    </message>
    <message>
        <source>Show the newest</source>
        <translation>显示最新的</translation>
    </message>
    <message>
        <source>No stage is selected</source>
        <translation>未选择阶段</translation>
    </message>
    <message>
        <source>Click a chip above the editor to see what the stage measured.</source>
        <translation>点击编辑器上方的阶段，查看它测得了什么。</translation>
    </message>
</context>
<context>
    <name>ExplanationView</name>
    <message>
        <source>Overview</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Findings</source>
        <translation type="unfinished">诊断</translation>
    </message>
    <message>
        <source>Operators</source>
        <translation type="unfinished">算子</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Asked and found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Code to paste</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sections of the explanation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Findings of the export</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The selected finding</source>
        <translation type="unfinished">所选诊断</translation>
    </message>
    <message>
        <source>No operator was met</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing was asked for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file has no nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no file</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Export</name>
    <message>
        <source>Cause</source>
        <translation type="unfinished">原因</translation>
    </message>
    <message>
        <source>Line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wrapped in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> and {0} types more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nodes by type</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Outputs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not as asked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fixed sizes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>File</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0}: asked {1}, found {2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} became {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Without a Meta (fake) kernel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The exporter says</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Operator</source>
        <translation type="unfinished">算子</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation type="unfinished">调用</translation>
    </message>
    <message>
        <source>Lost attributes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PyTorch operator</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Module</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Asked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It meets no such operator</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>added by the exporter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>opset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>axis {1} of {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>fixed to {0} by {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>shape of {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>translated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>decomposed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>equal calls merged</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>folded into a constant</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unused, left out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>never seen: traced through</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>left out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the export ended here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not reached</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>TorchScript exporter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>dynamo exporter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>custom nodes</source>
        <translation type="unfinished">自定义节点</translation>
    </message>
    <message>
        <source>standard nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not as asked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>written, with findings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>written</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its process ended</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cannot capture the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cannot translate an operator</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cannot write the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Symbolic for the TorchScript exporter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Translation for the dynamo exporter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Meta (fake) kernel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Operator around a function</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Exporting with the {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Building the operators</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ExportPanel</name>
    <message>
        <source>Filter rows</source>
        <translation type="unfinished">筛选行</translation>
    </message>
    <message>
        <source>Findings of the export</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The selected finding</source>
        <translation type="unfinished">所选诊断</translation>
    </message>
    <message>
        <source> for {0} s</source>
        <translation type="unfinished">，已 {0} 秒</translation>
    </message>
    <message>
        <source>Waiting for the worker</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This workspace is not trusted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>To explain an export the operator is built and its model is run as you.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} is being exported twice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Once by each exporter, in processes of their own.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No export was explained yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Both exporters run, side by side: what each made of every operator, why it failed and at which line, and the code to paste.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>of {0}, with other options</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>of {0}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Family</name>
    <message>
        <source>convolutions and matrix products</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>activations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>normalization</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pooling and reductions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>elementwise</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>shape and data movement</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>control flow, sequences, randomness</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>quantization and casts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>other</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>FindBar</name>
    <message>
        <source>Find</source>
        <translation>查找</translation>
    </message>
    <message>
        <source>Replace with</source>
        <translation>替换为</translation>
    </message>
    <message>
        <source>Match case</source>
        <translation>区分大小写</translation>
    </message>
    <message>
        <source>Whole words</source>
        <translation>全字匹配</translation>
    </message>
    <message>
        <source>Regular expression</source>
        <translation>正则表达式</translation>
    </message>
    <message>
        <source>Previous</source>
        <translation>上一个</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>下一个</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>替换</translation>
    </message>
    <message>
        <source>Replace all</source>
        <translation>全部替换</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>{0} replaced</source>
        <translation>已替换 {0} 处</translation>
    </message>
    <message>
        <source>Not an expression: {0}</source>
        <translation>不是有效的表达式：{0}</translation>
    </message>
    <message>
        <source>No matches</source>
        <translation>没有匹配项</translation>
    </message>
    <message>
        <source>{0} matches</source>
        <translation>{0} 个匹配项</translation>
    </message>
    <message>
        <source>{0} of {1}</source>
        <translation>第 {0} 个，共 {1} 个</translation>
    </message>
</context>
<context>
    <name>FinderButton</name>
    <message>
        <source>Search or command    {0}</source>
        <translation>搜索或命令    {0}</translation>
    </message>
</context>
<context>
    <name>Finding</name>
    <message>
        <source>Cause</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Fix</source>
        <translation>修复</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Evidence</source>
        <translation>证据</translation>
    </message>
</context>
<context>
    <name>FindingsPanel</name>
    <message>
        <source>Findings</source>
        <translation>诊断</translation>
    </message>
    <message>
        <source>The selected finding</source>
        <translation>所选诊断</translation>
    </message>
    <message>
        <source> ({0} s)</source>
        <translation>（{0} 秒）</translation>
    </message>
    <message>
        <source>Starting</source>
        <translation>正在启动</translation>
    </message>
    <message>
        <source> for {0} s</source>
        <translation>，已 {0} 秒</translation>
    </message>
    <message>
        <source>Running {0}</source>
        <translation>正在运行：{0}</translation>
    </message>
    <message>
        <source>No findings in this stage</source>
        <translation>此阶段没有诊断</translation>
    </message>
    <message>
        <source>No findings</source>
        <translation>没有诊断</translation>
    </message>
    <message>
        <source>What is wrong with an operator appears here.</source>
        <translation>算子有问题时会显示在这里。</translation>
    </message>
    <message>
        <source>No findings so far</source>
        <translation>目前没有诊断</translation>
    </message>
    <message>
        <source>{0} stages, verdict in {1}.</source>
        <translation>{0} 个阶段，{1} 得出结论。</translation>
    </message>
    <message>
        <source>What its check finds appears here.</source>
        <translation>检查的发现会显示在这里。</translation>
    </message>
</context>
<context>
    <name>GraphBar</name>
    <message>
        <source>Asking the runtime…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not resolved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} unresolved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Refused</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All resolved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every node is implemented</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>GraphPage</name>
    <message>
        <source>Graph of the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save the picture of the graph</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The graph of a model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What its nodes are, how values flow between them, and who implements each. Open an ONNX file, or drop one here; operator libraries can be dropped as well.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drawing {0}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>GraphSearch</name>
    <message>
        <source>{0} of {1}</source>
        <translation type="unfinished">第 {0} 个，共 {1} 个</translation>
    </message>
    <message>
        <source>{0} found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, {0} in other graphs</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>HelpPanel</name>
    <message>
        <source>Search the help</source>
        <translation>搜索帮助</translation>
    </message>
    <message>
        <source>Help pages</source>
        <translation>帮助页面</translation>
    </message>
    <message>
        <source>Help page</source>
        <translation>帮助页面</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>返回</translation>
    </message>
    <message>
        <source>Back (Alt+Left)</source>
        <translation>返回 (Alt+Left)</translation>
    </message>
    <message>
        <source>All pages</source>
        <translation>全部页面</translation>
    </message>
    <message>
        <source>List all pages</source>
        <translation>列出全部页面</translation>
    </message>
    <message>
        <source>en</source>
        <comment>the language of the help pages: en or zh_CN</comment>
        <translation>zh_CN</translation>
    </message>
    <message>
        <source>No page holds all these words</source>
        <translation>没有包含全部这些词的页面</translation>
    </message>
    <message>
        <source>Use fewer words, a name such as strided, or the id of a finding such as NUM012.</source>
        <translation>请减少词数，或使用 strided 这样的名称，或 NUM012 这样的诊断编号。</translation>
    </message>
</context>
<context>
    <name>HistoryModel</name>
    <message>
        <source>Build</source>
        <translation>构建</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>Error / tolerance</source>
        <translation>误差 / 容差</translation>
    </message>
    <message>
        <source>Kernel time</source>
        <translation>内核耗时</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>To the verdict</source>
        <translation>得出结论</translation>
    </message>
    <message>
        <source>When</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>{0} times the tolerance</source>
        <translation>容差的 {0} 倍</translation>
    </message>
    <message>
        <source>d MMM yyyy, HH:mm</source>
        <comment>a date and a time, as Qt writes them</comment>
        <translation>yyyy年M月d日 HH:mm</translation>
    </message>
</context>
<context>
    <name>HistoryPanel</name>
    <message>
        <source>Pin the selected build as the baseline, or unpin it</source>
        <translation>将所选构建固定为基线，或取消固定</translation>
    </message>
    <message>
        <source>Pin as baseline</source>
        <translation>固定为基线</translation>
    </message>
    <message>
        <source>Copy all about the selected build: versions, flags, commands, hashes</source>
        <translation>复制所选构建的全部信息：版本、编译选项、命令、哈希</translation>
    </message>
    <message>
        <source>Copy all about this build</source>
        <translation>复制此构建的全部信息</translation>
    </message>
    <message>
        <source>History</source>
        <translation>历史</translation>
    </message>
    <message>
        <source>No builds yet</source>
        <translation>还没有构建</translation>
    </message>
    <message>
        <source>Every text of the operator that gets a verdict is kept here, to be compared and pinned.</source>
        <translation>算子每份得出结论的源码都保留在这里，可以比较，也可以固定为基线。</translation>
    </message>
</context>
<context>
    <name>HoverCard</name>
    <message>
        <source>{0} nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} equal blocks in a row</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} of them implemented by nobody</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A double click opens it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Input</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Output</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Value of the graph around</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A double click enters it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>output {0} of {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>read by {0} boxes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>input {0} of {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>type not stated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Implemented by nobody</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A function of the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Implemented by {0}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>JobModel</name>
    <message>
        <source>Job</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>耗时</translation>
    </message>
    <message>
        <source>Started</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Cancel {0}</source>
        <translation>取消 {0}</translation>
    </message>
    <message>
        <source>look for operators</source>
        <translation>查找算子</translation>
    </message>
</context>
<context>
    <name>JobsPanel</name>
    <message>
        <source>Jobs</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>Nothing has run yet</source>
        <translation>还没有运行过任务</translation>
    </message>
    <message>
        <source>Checks appear here as they start. Each can be cancelled.</source>
        <translation>检查开始后会显示在这里，每项都可以取消。</translation>
    </message>
</context>
<context>
    <name>LogPanel</name>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>Search the log</source>
        <translation>搜索日志</translation>
    </message>
    <message>
        <source>Forget all lines</source>
        <translation>清空日志</translation>
    </message>
    <message>
        <source>{0:,} of {1:,} lines</source>
        <translation>{0:,} / {1:,} 行</translation>
    </message>
    <message>
        <source>last {0:,} of {1:,} lines</source>
        <translation>最近 {0:,} 行，共 {1:,} 行</translation>
    </message>
    <message>
        <source>1 line</source>
        <translation>1 行</translation>
    </message>
    <message>
        <source>{0:,} lines</source>
        <translation>{0:,} 行</translation>
    </message>
    <message>
        <source>No line matches</source>
        <translation>没有匹配的行</translation>
    </message>
    <message>
        <source>Clear the search to see all lines.</source>
        <translation>清除搜索即可看到全部。</translation>
    </message>
    <message>
        <source>Nothing was printed yet</source>
        <translation>还没有输出</translation>
    </message>
    <message>
        <source>What compilers, kernels and references print appears here.</source>
        <translation>编译器、内核和参考实现的输出会显示在这里。</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>{0} is not a file</source>
        <translation>{0} 不是文件</translation>
    </message>
    <message>
        <source>Only read: this workspace is not trusted</source>
        <translation>只读：此工作区未受信任</translation>
    </message>
    <message>
        <source>{0} saved</source>
        <translation>{0} 已保存</translation>
    </message>
    <message>
        <source>Open a workspace: a folder with opstudio.toml</source>
        <translation>打开工作区：含有 opstudio.toml 的文件夹</translation>
    </message>
</context>
<context>
    <name>Menus</name>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Operator</source>
        <translation>算子(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Go</source>
        <translation>转到(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>Recent workspaces</source>
        <translation>最近的工作区</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
</context>
<context>
    <name>ModelFindingsPanel</name>
    <message>
        <source>Problems of the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The selected problem</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} of {1} errors</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Explain {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Being held against the runtime&apos;s own lists</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No problems</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ONNX Runtime {0} takes this model, as far as files and its lists tell.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is wrong with a model appears here once one is open.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ModelTree</name>
    <message>
        <source>and {0} more</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Models</name>
    <message>
        <source>cannot be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>being read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} unresolved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>who implements its nodes is being looked up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>who implements its nodes is not known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a session takes it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a session refuses it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} operators</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 operator</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>usable</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not usable</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>being looked into</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not looked into yet</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ModelsPanel</name>
    <message>
        <source>Open a model…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add operator libraries…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Do without the selected library</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look for models again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search models</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Models</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add operator libraries: their code is run to ask what they register</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There are more; open them with the button above.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In this workspace</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From elsewhere</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>None. Add some with the button above.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Operator libraries</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking for models</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No models yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Files that end in .onnx or .ort appear here by themselves. Others can be opened from anywhere.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>NodeDetailsPanel</name>
    <message>
        <source>Copy all that is shown here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The selected node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Being looked up in the runtime&apos;s lists</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not known yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No model is open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open one in the panel Models: what it says of its nodes and values appears here.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>NodeListPanel</name>
    <message>
        <source>Filter nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unresolved only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the nodes that nobody implements, and no others</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Words that a node must have; also type:conv, name:, shape:1x64, attribute:axis, dtype:, by:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All nodes are implemented</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not known yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No node fits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model has no nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No model is open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All nodes of a model are listed here, also those of functions and nested graphs.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>NodeTableModel</name>
    <message>
        <source>Name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Operator</source>
        <translation type="unfinished">算子</translation>
    </message>
    <message>
        <source>Domain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Implemented by</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Graph</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nobody: {0}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>NoticeBar</name>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>Notices</name>
    <message>
        <source> There are {0} more.</source>
        <translation>另有 {0} 处。</translation>
    </message>
    <message>
        <source>The studio goes on with the settings from before.</source>
        <translation>OpStudio 继续使用之前的设置。</translation>
    </message>
    <message>
        <source>Show the line</source>
        <translation>显示该行</translation>
    </message>
    <message>
        <source>opstudio.toml was changed. The new settings hold once the workspace is opened again.</source>
        <translation>opstudio.toml 已改动。重新打开工作区后，新设置才生效。</translation>
    </message>
    <message>
        <source>Open it again</source>
        <translation>重新打开</translation>
    </message>
    <message>
        <source>This workspace comes from elsewhere. To check its operators their code is built and run as you. Until you trust it, everything can be read and nothing is built or run.</source>
        <translation>此工作区来自别处。检查其中的算子意味着以您的身份编译并运行其代码。在您信任它之前，一切都可以阅读，但不会构建或运行任何内容。</translation>
    </message>
    <message>
        <source>Trust and check</source>
        <translation>信任并检查</translation>
    </message>
    <message>
        <source>Only read</source>
        <translation>仅阅读</translation>
    </message>
    <message>
        <source>To know which operators {0} brings, its code is run as you, in a process of its own. This workspace is not trusted: run it only where you know where it comes from.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run its code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Do without it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not saved: {0}</source>
        <translation>尚未保存：{0}</translation>
    </message>
    <message>
        <source>Save and close</source>
        <translation>保存并关闭</translation>
    </message>
    <message>
        <source>Close without saving</source>
        <translation>不保存直接关闭</translation>
    </message>
    <message>
        <source>Stay</source>
        <translation>留下</translation>
    </message>
</context>
<context>
    <name>Notification</name>
    <message>
        <source>{0} is {1} now</source>
        <translation>{0} 现在的结论：{1}</translation>
    </message>
</context>
<context>
    <name>NotificationButton</name>
    <message>
        <source>Notifications</source>
        <translation>通知</translation>
    </message>
</context>
<context>
    <name>OperatorModel</name>
    <message>
        <source>Operator</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>耗时</translation>
    </message>
    <message>
        <source>Finding</source>
        <translation>诊断</translation>
    </message>
    <message>
        <source>Time to the verdict</source>
        <translation>得出结论的耗时</translation>
    </message>
    <message>
        <source>before: {0}</source>
        <translation>之前：{0}</translation>
    </message>
</context>
<context>
    <name>OperatorsPanel</name>
    <message>
        <source>Search operators</source>
        <translation>搜索算子</translation>
    </message>
    <message>
        <source>Operators</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>No operators yet</source>
        <translation>还没有算子</translation>
    </message>
    <message>
        <source>An operator is a folder with a contract.toml and a kernel. It appears here by itself.</source>
        <translation>算子是含有 contract.toml 和内核的文件夹，会自动出现在这里。</translation>
    </message>
</context>
<context>
    <name>OptionsButton</name>
    <message>
        <source>opset {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How it is exported: custom operators, opset, dimensions that vary</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How it is exported</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Custom operators</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stay nodes of their own domain</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Are composed of standard nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dimensions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The inputs are known once the model was explained</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The contract&apos;s, or the usual one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>vary as the contract says</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all fixed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>first axes vary</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Panel</name>
    <message>
        <source>Evidence</source>
        <translation>证据</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>诊断</translation>
    </message>
    <message>
        <source>History</source>
        <translation>历史</translation>
    </message>
    <message>
        <source>Jobs</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>Operators</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>帮助</translation>
    </message>
    <message>
        <source>Export</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Problems of the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Models</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Node</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Perspective</name>
    <message>
        <source>History</source>
        <translation>历史</translation>
    </message>
    <message>
        <source>Kernels</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>Export</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Graph</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Picker</name>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Line, or line:column</source>
        <translation>行，或 行:列</translation>
    </message>
    <message>
        <source>Go to line {0}</source>
        <translation>转到第 {0} 行</translation>
    </message>
    <message>
        <source>each element by itself; with a gradient and a reference</source>
        <translation>逐元素计算；带梯度和参考实现</translation>
    </message>
    <message>
        <source>over an axis, which it takes away; with a gradient and a reference</source>
        <translation>沿一个轴归约并去掉该轴；带梯度和参考实现</translation>
    </message>
    <message>
        <source>sources that register themselves with PyTorch and ONNX Runtime</source>
        <translation>自行向 PyTorch 和 ONNX Runtime 注册的源码</translation>
    </message>
    <message>
        <source>Name of the new operator</source>
        <translation>新算子的名称</translation>
    </message>
    <message>
        <source>Type its name: small letters, digits and _, such as my_operator</source>
        <translation>输入名字：小写字母、数字和 _，例如 my_operator</translation>
    </message>
    <message>
        <source>A name does not begin with a digit</source>
        <translation>名字不能以数字开头</translation>
    </message>
    <message>
        <source>{0} cannot stand in a name: it has small letters a to z, digits and _</source>
        <translation>名字里不能有 {0}：只用小写字母 a 到 z、数字和 _</translation>
    </message>
    <message>
        <source>{0} exists already in this workspace</source>
        <translation>此工作区里已有 {0}</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Search or command</source>
        <translation>搜索或命令</translation>
    </message>
    <message>
        <source>Nothing fits</source>
        <translation>没有符合的结果</translation>
    </message>
    <message>
        <source>Problem</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Workspace</source>
        <translation>工作区</translation>
    </message>
    <message>
        <source>File name; &gt; command, @ operator, ! problem, # node, : line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Node of the open model</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PipelineStrip</name>
    <message>
        <source>Pipeline</source>
        <translation>流水线</translation>
    </message>
</context>
<context>
    <name>Progress</name>
    <message>
        <source>building the hosts…</source>
        <translation>正在编译宿主库…</translation>
    </message>
    <message>
        <source>waiting for the hosts…</source>
        <translation>正在等待宿主库…</translation>
    </message>
    <message>
        <source>Building the hosts of PyTorch and ONNX Runtime, once for this workspace</source>
        <translation>正在编译 PyTorch 和 ONNX Runtime 的宿主库，每个工作区只需一次</translation>
    </message>
    <message>
        <source>Waiting for the hosts of PyTorch and ONNX Runtime, whose build an earlier check began</source>
        <translation>正在等待 PyTorch 和 ONNX Runtime 的宿主库，之前的检查已开始编译它们</translation>
    </message>
</context>
<context>
    <name>ReadingPage</name>
    <message>
        <source>Help</source>
        <translation>帮助</translation>
    </message>
    <message>
        <source>Close the help (Esc)</source>
        <translation>关闭帮助（Esc）</translation>
    </message>
    <message>
        <source>Close the help</source>
        <translation>关闭帮助</translation>
    </message>
</context>
<context>
    <name>RowTable</name>
    <message>
        <source>No row has all these words</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SearchField</name>
    <message>
        <source>Search nodes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Words of names, types and values; type:Conv, domain:myops, name:/regular expression/, attribute:axis=1, shape:1x64, dtype:float16, unresolved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Previous one found (Shift+Return)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next one found (Return)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SectionView</name>
    <message>
        <source>Copy this section</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Stage</name>
    <message>
        <source>contract</source>
        <translation>契约</translation>
    </message>
    <message>
        <source>build</source>
        <translation>构建</translation>
    </message>
    <message>
        <source>reference</source>
        <translation>参考</translation>
    </message>
    <message>
        <source>register</source>
        <translation>注册</translation>
    </message>
    <message>
        <source>meta</source>
        <translation>Meta</translation>
    </message>
    <message>
        <source>value</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>layout</source>
        <translation>布局</translation>
    </message>
    <message>
        <source>extreme</source>
        <translation>极值</translation>
    </message>
    <message>
        <source>alias</source>
        <translation>别名</translation>
    </message>
    <message>
        <source>gradient</source>
        <translation>梯度</translation>
    </message>
    <message>
        <source>load</source>
        <translation>加载</translation>
    </message>
    <message>
        <source>parity</source>
        <translation>一致性</translation>
    </message>
    <message>
        <source>export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>opcheck</source>
        <translation>opcheck</translation>
    </message>
    <message>
        <source>optimization</source>
        <translation>优化级别</translation>
    </message>
    <message>
        <source>concurrency</source>
        <translation>并发</translation>
    </message>
    <message>
        <source>sanitizer</source>
        <translation>检测器</translation>
    </message>
    <message>
        <source>cuda</source>
        <translation>CUDA</translation>
    </message>
    <message>
        <source>speed</source>
        <translation>性能</translation>
    </message>
    <message>
        <source>Contract: readable, and breaks nothing that is published</source>
        <translation>契约：可以读取，且不破坏已发布的接口</translation>
    </message>
    <message>
        <source>Build: the kernel compiles</source>
        <translation>构建：内核可以编译</translation>
    </message>
    <message>
        <source>Reference: what is right, computed in float64</source>
        <translation>参考：以 float64 计算的正确结果</translation>
    </message>
    <message>
        <source>Register: PyTorch and ONNX Runtime know the operator as the contract says</source>
        <translation>注册：PyTorch 和 ONNX Runtime 中的算子与契约一致</translation>
    </message>
    <message>
        <source>Meta: predicted shapes are the real ones</source>
        <translation>Meta：推导出的形状与实际一致</translation>
    </message>
    <message>
        <source>Value: the kernel computes what the reference computes</source>
        <translation>数值：内核与参考实现的计算结果一致</translation>
    </message>
    <message>
        <source>Layout: sliced, stepped, transposed, expanded and empty inputs</source>
        <translation>布局：切片、跨步、转置、扩展和空输入</translation>
    </message>
    <message>
        <source>Extreme values: zero, infinities, NaN, denormals, the largest</source>
        <translation>极值：零、无穷、NaN、非规格化数、最大值</translation>
    </message>
    <message>
        <source>Alias: no memory is shared or changed that should not be</source>
        <translation>别名：没有不该共享或改写的内存</translation>
    </message>
    <message>
        <source>Gradient: the derivative of the reference</source>
        <translation>梯度：与参考实现的导数一致</translation>
    </message>
    <message>
        <source>Load: ONNX Runtime takes the operator in every type</source>
        <translation>加载：ONNX Runtime 接受每种类型的算子</translation>
    </message>
    <message>
        <source>Parity: reference, PyTorch and ONNX Runtime agree</source>
        <translation>一致性：参考实现、PyTorch 与 ONNX Runtime 结果一致</translation>
    </message>
    <message>
        <source>Export: the file holds what was asked for</source>
        <translation>导出：文件内容与请求一致</translation>
    </message>
    <message>
        <source>Opcheck: PyTorch&apos;s own tests</source>
        <translation>Opcheck：PyTorch 自带的测试</translation>
    </message>
    <message>
        <source>Optimisation levels: every level of ONNX Runtime gives the same</source>
        <translation>优化级别：ONNX Runtime 各级别结果相同</translation>
    </message>
    <message>
        <source>Concurrency: calls at the same time give what calls in turn give</source>
        <translation>并发：同时调用与依次调用结果相同</translation>
    </message>
    <message>
        <source>Sanitizers: addresses, undefined behaviour, threads</source>
        <translation>检测器：地址、未定义行为、线程</translation>
    </message>
    <message>
        <source>CUDA: the CUDA source compiles</source>
        <translation>CUDA：CUDA 源码可以编译</translation>
    </message>
    <message>
        <source>Speed: beside PyTorch, standard nodes and a plain copy</source>
        <translation>性能：与 PyTorch、标准节点和纯拷贝相比</translation>
    </message>
</context>
<context>
    <name>StageChip</name>
    <message>
        <source>, cached</source>
        <translation>，缓存</translation>
    </message>
</context>
<context>
    <name>StageRow</name>
    <message>
        <source>Show all stages</source>
        <translation>显示全部阶段</translation>
    </message>
    <message>
        <source>{0}, cached</source>
        <translation>{0}，缓存</translation>
    </message>
</context>
<context>
    <name>StartWindow</name>
    <message>
        <source>A folder for the new workspace</source>
        <translation>新工作区的文件夹</translation>
    </message>
    <message>
        <source>Open a workspace: a folder with opstudio.toml</source>
        <translation>打开工作区：含有 opstudio.toml 的文件夹</translation>
    </message>
</context>
<context>
    <name>State</name>
    <message>
        <source>error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>note</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>not run yet</source>
        <translation>尚未运行</translation>
    </message>
    <message>
        <source>good</source>
        <translation>通过</translation>
    </message>
    <message>
        <source>bad</source>
        <translation>未通过</translation>
    </message>
    <message>
        <source>does not apply</source>
        <translation>不适用</translation>
    </message>
    <message>
        <source>not run</source>
        <translation>未运行</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <source>starting…</source>
        <translation>正在启动…</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>no verdict</source>
        <translation>无结论</translation>
    </message>
    <message>
        <source>unchecked</source>
        <translation>未检查</translation>
    </message>
</context>
<context>
    <name>StatusLine</name>
    <message>
        <source>Line {0}, column {1}</source>
        <translation>第 {0} 行，第 {1} 列</translation>
    </message>
    <message>
        <source>read only</source>
        <translation>只读</translation>
    </message>
    <message>
        <source>Starting the worker…</source>
        <translation>正在启动工作进程…</translation>
    </message>
    <message>
        <source>checking {0}</source>
        <translation>正在检查 {0}</translation>
    </message>
    <message>
        <source>{0} waiting</source>
        <translation>{0} 个等待中</translation>
    </message>
</context>
<context>
    <name>StubView</name>
    <message>
        <source>Copied</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Code to paste</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The selected code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No code to paste</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where an operator lacks a translation or a Meta kernel, a draft of it appears here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Left to do: {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>To be pasted as it is.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy</source>
        <translation type="unfinished">复制</translation>
    </message>
</context>
<context>
    <name>TableSection</name>
    <message>
        <source>Filter rows</source>
        <translation>筛选行</translation>
    </message>
    <message>
        <source>{0} more rows; opstudio evidence --json has all</source>
        <translation>还有 {0} 行；opstudio evidence --json 可列出全部</translation>
    </message>
</context>
<context>
    <name>TargetButton</name>
    <message>
        <source>No operator</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is exported: the selected operator, or a factory of a Python file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is exported</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Selected operator: {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Selected operator: none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In the editor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A function of a Python file…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a Python file that makes a model</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>VerdictLabel</name>
    <message>
        <source>{0} s</source>
        <translation>{0} 秒</translation>
    </message>
    <message>
        <source>the newest check was cancelled</source>
        <translation>最近一次检查已取消</translation>
    </message>
    <message>
        <source>{0}, slow stages follow</source>
        <translation>{0}，慢速阶段随后</translation>
    </message>
    <message>
        <source>Verdict: {0}</source>
        <translation>结论：{0}</translation>
    </message>
</context>
<context>
    <name>Welcome</name>
    <message>
        <source>Break a kernel</source>
        <translation>改坏一个内核</translation>
    </message>
    <message>
        <source>Change a number in a kernel and save. Within a second the verdict turns bad and names the line; undo, save, and it is good again.</source>
        <translation>改动内核中的一个数并保存。一秒之内结论变为未通过，并指出所在行；撤销、保存，又恢复通过。</translation>
    </message>
    <message>
        <source>Open the kernel</source>
        <translation>打开内核</translation>
    </message>
    <message>
        <source>Ask a verdict for its reasons</source>
        <translation>查看结论的依据</translation>
    </message>
    <message>
        <source>Every chip above the editor is a stage. A click shows what it measured: shapes side by side, the worst elements with their inputs, the commands to copy.</source>
        <translation>编辑器上方的每一格都是一个阶段。点击即可看到它测得了什么：形状对照、误差最大的元素及其输入、可复制的命令。</translation>
    </message>
    <message>
        <source>Show the evidence</source>
        <translation>查看证据</translation>
    </message>
    <message>
        <source>Start an operator of your own</source>
        <translation>新建自己的算子</translation>
    </message>
    <message>
        <source>A template builds and passes at once: contract, kernel, reference. Make it yours step by step, and watch the chips.</source>
        <translation>模板可以直接构建并通过检查：契约、内核、参考实现。逐步改成自己的算子，留意各阶段的变化。</translation>
    </message>
    <message>
        <source>New operator…</source>
        <translation>新建算子…</translation>
    </message>
    <message>
        <source>Try the bundled operators</source>
        <translation>试用自带的算子</translation>
    </message>
    <message>
        <source>Six operators with kernel, gradient, reference and model, to read, to break and to copy from.</source>
        <translation>六个算子，含内核、梯度、参考实现和模型，可供阅读、试改和复制。</translation>
    </message>
    <message>
        <source>Open them</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Open a workspace</source>
        <translation>打开工作区</translation>
    </message>
    <message>
        <source>A folder with opstudio.toml, yours or a colleague&apos;s. What is there can be read.</source>
        <translation>含有 opstudio.toml 的文件夹，自己的或同事的均可。内容可以直接阅读。</translation>
    </message>
    <message>
        <source>Choose a folder…</source>
        <translation>选择文件夹…</translation>
    </message>
    <message>
        <source>Make a workspace</source>
        <translation>新建工作区</translation>
    </message>
    <message>
        <source>A folder for operators of your own; a template gives the first one in a second.</source>
        <translation>存放自己算子的文件夹；用模板一秒即可得到第一个算子。</translation>
    </message>
</context>
<context>
    <name>WelcomePage</name>
    <message>
        <source>OpStudio</source>
        <translation>OpStudio</translation>
    </message>
    <message>
        <source>Save a kernel, and within a second one verdict says whether it compiles, registers, differentiates, loads and computes the same everywhere – and if not, why.</source>
        <translation>保存内核，一秒之内即可得出一个结论：它能否编译、注册、求导、加载，在各处的计算结果是否一致；若不一致，原因何在。</translation>
    </message>
    <message>
        <source>Recent workspaces</source>
        <translation>最近的工作区</translation>
    </message>
    <message>
        <source>Go on to the editor</source>
        <translation>进入编辑器</translation>
    </message>
</context>
<context>
    <name>_CommandsSection</name>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
</context>
<context>
    <name>_SourceSection</name>
    <message>
        <source>Source</source>
        <translation>源码</translation>
    </message>
</context>
<context>
    <name>_TabEnd</name>
    <message>
        <source>modified</source>
        <translation>已修改</translation>
    </message>
    <message>
        <source>click to close</source>
        <translation>点击关闭</translation>
    </message>
</context>
</TS>
