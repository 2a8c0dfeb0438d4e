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
        <translation>解释导出</translation>
    </message>
    <message>
        <source>runs both exporters; saves the files first</source>
        <translation>先保存文件，再运行两个导出器</translation>
    </message>
    <message>
        <source>Choose a model to export…</source>
        <translation>选择要导出的模型…</translation>
    </message>
    <message>
        <source>Cancel the export</source>
        <translation>取消导出</translation>
    </message>
    <message>
        <source>Open model…</source>
        <translation>打开模型…</translation>
    </message>
    <message>
        <source>Fix the model…</source>
        <translation>修复模型…</translation>
    </message>
    <message>
        <source>Cancel the fix of the model</source>
        <translation>取消模型的修复</translation>
    </message>
    <message>
        <source>Go to node…</source>
        <translation>转到节点…</translation>
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
        <translation>离开模型的这个图</translation>
    </message>
    <message>
        <source>Fit the graph into view</source>
        <translation>显示整个图</translation>
    </message>
    <message>
        <source>Show the graph at 100 %</source>
        <translation>按 100 % 显示图形</translation>
    </message>
    <message>
        <source>Enlarge the graph</source>
        <translation>放大图形</translation>
    </message>
    <message>
        <source>Reduce the graph</source>
        <translation>缩小图形</translation>
    </message>
    <message>
        <source>Next node that nobody implements</source>
        <translation>下一个无实现的节点</translation>
    </message>
    <message>
        <source>Previous node that nobody implements</source>
        <translation>上一个无实现的节点</translation>
    </message>
    <message>
        <source>Open all groups of the graph</source>
        <translation>打开图中所有组</translation>
    </message>
    <message>
        <source>Close the groups as at first</source>
        <translation>恢复各组最初的开合</translation>
    </message>
    <message>
        <source>Save the picture of the graph…</source>
        <translation>保存图形…</translation>
    </message>
    <message>
        <source>Copy the picture of the graph</source>
        <translation>复制图形</translation>
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
        <translation>在“图”中打开</translation>
    </message>
    <message>
        <source>Open the file of this exporter in the perspective Graph</source>
        <translation>在“图”视角中打开此导出器的文件</translation>
    </message>
</context>
<context>
    <name>CanvasMenu</name>
    <message>
        <source>Copy the name</source>
        <translation>复制名称</translation>
    </message>
    <message>
        <source>Copy the operator</source>
        <translation>复制算子</translation>
    </message>
    <message>
        <source>Producers</source>
        <translation>产生者</translation>
    </message>
    <message>
        <source>Consumers</source>
        <translation>使用者</translation>
    </message>
    <message>
        <source>Open this group</source>
        <translation>打开此组</translation>
    </message>
    <message>
        <source>Enter {0}</source>
        <translation>进入 {0}</translation>
    </message>
    <message>
        <source>Close the group {0}</source>
        <translation>合上组 {0}</translation>
    </message>
    <message>
        <source>{0} more</source>
        <translation>另有 {0} 个</translation>
    </message>
</context>
<context>
    <name>ColourButton</name>
    <message>
        <source>What colours tell</source>
        <translation>颜色的含义</translation>
    </message>
    <message>
        <source>Colour by kind of operator</source>
        <translation>按算子种类着色</translation>
    </message>
    <message>
        <source>Colour by domain</source>
        <translation>按域着色</translation>
    </message>
    <message>
        <source>Colour by who implements a node</source>
        <translation>按节点由谁实现着色</translation>
    </message>
</context>
<context>
    <name>Colours</name>
    <message>
        <source>groups of several kinds</source>
        <translation>含多种类别的组</translation>
    </message>
    <message>
        <source>inputs and outputs</source>
        <translation>输入与输出</translation>
    </message>
    <message>
        <source>custom domains</source>
        <translation>自定义域</translation>
    </message>
    <message>
        <source>not known yet</source>
        <translation>尚不清楚</translation>
    </message>
    <message>
        <source>nobody</source>
        <translation>无实现</translation>
    </message>
    <message>
        <source>functions of the file</source>
        <translation>文件中的函数</translation>
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
    <name>Detail</name>
    <message>
        <source>{0} node</source>
        <translation>{0} 节点</translation>
    </message>
    <message>
        <source>{0} nodes</source>
        <translation>{0} 节点</translation>
    </message>
    <message>
        <source>{0} groups</source>
        <translation>{0} 组</translation>
    </message>
    <message>
        <source>scalar {0}</source>
        <translation>标量 {0}</translation>
    </message>
</context>
<context>
    <name>Details</name>
    <message>
        <source>not given, though it must be</source>
        <translation>未给出，但必须给出</translation>
    </message>
    <message>
        <source>not given</source>
        <translation>未给出</translation>
    </message>
    <message>
        <source>Attributes</source>
        <translation>属性</translation>
    </message>
    <message>
        <source>that of the function&apos;s attribute {0}</source>
        <translation>取函数属性 {0} 的值</translation>
    </message>
    <message>
        <source>being read</source>
        <translation>正在读取</translation>
    </message>
    <message>
        <source>{0} nodes</source>
        <translation>{0} 个节点</translation>
    </message>
    <message>
        <source>and {0} more</source>
        <translation>另有 {0} 个</translation>
    </message>
    <message>
        <source>  the rest is left out</source>
        <translation>  其余从略</translation>
    </message>
    <message>
        <source>all</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Histogram of {0} values from {1} to {2}</source>
        <translation>{0} 个值的直方图，从 {1} 到 {2}</translation>
    </message>
    <message>
        <source>{0}: {1} elements</source>
        <translation>{0}：{1} 个元素</translation>
    </message>
    <message>
        <source>{0} to {1}: {2} elements</source>
        <translation>{0} 到 {1}：{2} 个元素</translation>
    </message>
    <message>
        <source>value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>elements in each of {0} ranges</source>
        <translation>{0} 个区间各自的元素数</translation>
    </message>
    <message>
        <source>elements</source>
        <translation>元素数</translation>
    </message>
    <message>
        <source>Operator sets</source>
        <translation>算子集</translation>
    </message>
    <message>
        <source>Metadata</source>
        <translation>元数据</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Function</source>
        <translation>函数</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Overload</source>
        <translation>重载</translation>
    </message>
    <message>
        <source>Nested graph</source>
        <translation>子图</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Documentation</source>
        <translation>说明文字</translation>
    </message>
    <message>
        <source>Back to the graph around it</source>
        <translation>回到外层图</translation>
    </message>
    <message>
        <source>Back to the main graph</source>
        <translation>回到主图</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>Not checked</source>
        <translation>未检查</translation>
    </message>
    <message>
        <source>shapes and attributes; the ONNX file that it was made from can be checked in full</source>
        <translation>形状和属性；可对生成它的 ONNX 文件做完整检查</translation>
    </message>
    <message>
        <source>IR version</source>
        <translation>IR 版本</translation>
    </message>
    <message>
        <source>Producer</source>
        <translation>生成工具</translation>
    </message>
    <message>
        <source>Domain</source>
        <translation>域</translation>
    </message>
    <message>
        <source>Model version</source>
        <translation>模型版本</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Graphs for training</source>
        <translation>训练图</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>{0} tensors, {1}</source>
        <translation>{0} 个张量，{1}</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Outputs</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Nodes by who implements them</source>
        <translation>节点（按实现者）</translation>
    </message>
    <message>
        <source>Nodes by domain</source>
        <translation>节点（按域）</translation>
    </message>
    <message>
        <source>Nodes by operator</source>
        <translation>节点（按算子）</translation>
    </message>
    <message>
        <source>all {0}</source>
        <translation>全部 {0} 个</translation>
    </message>
    <message>
        <source>Version</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>图</translation>
    </message>
    <message>
        <source>Number</source>
        <translation>序号</translation>
    </message>
    <message>
        <source>Given to</source>
        <translation>分配给</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>the file does not import the domain</source>
        <translation>文件没有导入该域</translation>
    </message>
    <message>
        <source>defined since {0}</source>
        <translation>自版本 {0} 起定义</translation>
    </message>
    <message>
        <source>Nobody implements it</source>
        <translation>它没有实现</translation>
    </message>
    <message>
        <source>Implemented by</source>
        <translation>实现者</translation>
    </message>
    <message>
        <source>A function of the file</source>
        <translation>文件中的函数</translation>
    </message>
    <message>
        <source>Library</source>
        <translation>库</translation>
    </message>
    <message>
        <source>Runtime</source>
        <translation>运行时</translation>
    </message>
    <message>
        <source>Provider</source>
        <translation>执行提供程序</translation>
    </message>
    <message>
        <source>Since version</source>
        <translation>起始版本</translation>
    </message>
    <message>
        <source>By way of</source>
        <translation>方式</translation>
    </message>
    <message>
        <source>Not all types are known: that a kernel takes them is an assumption.</source>
        <translation>并非所有类型都已知：有内核接受它们只是推测。</translation>
    </message>
    <message>
        <source>Cause</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Fails at</source>
        <translation>未通过的一步</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Contract</source>
        <translation>契约</translation>
    </message>
    <message>
        <source>Fix</source>
        <translation>修复</translation>
    </message>
    <message>
        <source>What comes close</source>
        <translation>相近的候选</translation>
    </message>
    <message>
        <source>Finding</source>
        <translation>诊断</translation>
    </message>
    <message>
        <source>the import of the domain</source>
        <translation>域的导入</translation>
    </message>
    <message>
        <source>the domain</source>
        <translation>域</translation>
    </message>
    <message>
        <source>the operator&apos;s name</source>
        <translation>算子名称</translation>
    </message>
    <message>
        <source>the version</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>inputs, outputs and attributes</source>
        <translation>输入、输出与属性</translation>
    </message>
    <message>
        <source>the types of the inputs</source>
        <translation>输入的类型</translation>
    </message>
    <message>
        <source>the shapes of the inputs</source>
        <translation>输入的形状</translation>
    </message>
    <message>
        <source>the execution provider</source>
        <translation>执行提供程序</translation>
    </message>
    <message>
        <source>the kernel&apos;s types</source>
        <translation>内核的类型</translation>
    </message>
    <message>
        <source>the making of the kernel</source>
        <translation>内核的创建</translation>
    </message>
    <message>
        <source>left out</source>
        <translation>省略</translation>
    </message>
    <message>
        <source>nothing in the file makes it</source>
        <translation>文件中没有内容产生它</translation>
    </message>
    <message>
        <source>a constant</source>
        <translation>常量</translation>
    </message>
    <message>
        <source>an input of the graph</source>
        <translation>图的输入</translation>
    </message>
    <message>
        <source>from </source>
        <translation>来自 </translation>
    </message>
    <message>
        <source>, output {0}</source>
        <translation>，输出 {0}</translation>
    </message>
    <message>
        <source>to </source>
        <translation>去往 </translation>
    </message>
    <message>
        <source>an output of the graph</source>
        <translation>图的输出</translation>
    </message>
    <message>
        <source>nobody reads it</source>
        <translation>没有使用者</translation>
    </message>
    <message>
        <source>Module</source>
        <translation>模块</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>源码</translation>
    </message>
    <message>
        <source>Notes of the exporter</source>
        <translation>导出器的记录</translation>
    </message>
    <message>
        <source>all ({0} letters)</source>
        <translation>全部（{0} 个字符）</translation>
    </message>
    <message>
        <source>Constant</source>
        <translation>常量</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Made by</source>
        <translation>产生者</translation>
    </message>
    <message>
        <source>Read by</source>
        <translation>使用者</translation>
    </message>
    <message>
        <source>{0} stored</source>
        <translation>存储 {0} 个</translation>
    </message>
    <message>
        <source>Elements</source>
        <translation>元素</translation>
    </message>
    <message>
        <source>Stored</source>
        <translation>存放处</translation>
    </message>
    <message>
        <source>The values cannot be read: {0}</source>
        <translation>无法读取数值：{0}</translation>
    </message>
    <message>
        <source>Problem</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Storage</source>
        <translation>存储</translation>
    </message>
    <message>
        <source>nowhere</source>
        <translation>无处存放</translation>
    </message>
    <message>
        <source>in the model file, from byte {0}</source>
        <translation>模型文件中，从第 {0} 字节起</translation>
    </message>
    <message>
        <source>in the model file, as {0}, from byte {1}</source>
        <translation>模型文件中，字段为 {0}，从第 {1} 字节起</translation>
    </message>
    <message>
        <source>from byte {0}</source>
        <translation>从第 {0} 字节起</translation>
    </message>
    <message>
        <source>Statistics</source>
        <translation>统计</translation>
    </message>
    <message>
        <source>Compute them from all elements</source>
        <translation>用全部元素计算</translation>
    </message>
    <message>
        <source>Minimum</source>
        <translation>最小值</translation>
    </message>
    <message>
        <source>Maximum</source>
        <translation>最大值</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>平均值</translation>
    </message>
    <message>
        <source>Standard deviation</source>
        <translation>标准差</translation>
    </message>
    <message>
        <source>Zeros</source>
        <translation>零值</translation>
    </message>
    <message>
        <source>more of {0}</source>
        <translation>更多，共 {0} 个</translation>
    </message>
    <message>
        <source>function</source>
        <translation>函数</translation>
    </message>
    <message>
        <source>nobody</source>
        <translation>无实现</translation>
    </message>
    <message>
        <source>functions of the file</source>
        <translation>文件中的函数</translation>
    </message>
    <message>
        <source>becomes an initializer</source>
        <translation>成为初始化器</translation>
    </message>
    <message>
        <source>computed as float</source>
        <translation>按 float 计算</translation>
    </message>
    <message>
        <source>expanded into other operators</source>
        <translation>展开成其他算子</translation>
    </message>
    <message>
        <source>import</source>
        <translation>导入</translation>
    </message>
    <message>
        <source>domain</source>
        <translation>域</translation>
    </message>
    <message>
        <source>operator</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>version</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>form</source>
        <translation>形式</translation>
    </message>
    <message>
        <source>types</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>shapes</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>provider</source>
        <translation>执行提供程序</translation>
    </message>
    <message>
        <source>kernel</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>creation</source>
        <translation>创建</translation>
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
        <source>What the next save changes in the sources appears here.</source>
        <translation>下次保存对源码的改动会显示在这里。</translation>
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
        <source>IR version</source>
        <translation>IR 版本</translation>
    </message>
    <message>
        <source>call</source>
        <translation>调用</translation>
    </message>
    <message>
        <source>where</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>torchscript, custom</source>
        <translation>TorchScript 导出器，自定义节点</translation>
    </message>
    <message>
        <source>torchscript, standard</source>
        <translation>TorchScript 导出器，标准节点</translation>
    </message>
    <message>
        <source>dynamo, custom</source>
        <translation>dynamo 导出器，自定义节点</translation>
    </message>
    <message>
        <source>dynamo, standard</source>
        <translation>dynamo 导出器，标准节点</translation>
    </message>
    <message>
        <source>Exported by {0}</source>
        <translation>{0} 导出的符号</translation>
    </message>
    <message>
        <source>Nodes of {0}</source>
        <translation>{0} 的节点</translation>
    </message>
    <message>
        <source>Generated for a release: {0}</source>
        <translation>为发布生成：{0}</translation>
    </message>
    <message>
        <source>The operator&apos;s own {0}</source>
        <translation>算子自带的 {0}</translation>
    </message>
    <message>
        <source>version of {0}</source>
        <translation>{0} 的版本</translation>
    </message>
    <message>
        <source>{0} threads, sample {1}</source>
        <translation>{0} 个线程，样本 {1}</translation>
    </message>
    <message>
        <source>{0}, by hand</source>
        <translation>{0}，手动运行</translation>
    </message>
    <message>
        <source>{0} printed</source>
        <translation>{0} 的输出</translation>
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
        <source>An older studio kept this result in a form that cannot be read any more; check again.</source>
        <translation>此结果由旧版 OpStudio 保存，其格式已无法读取；请重新检查。</translation>
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
        <translation>执行提供程序</translation>
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
    <message>
        <source>The contract was changed since build {0}; this is the one of now.</source>
        <translation>契约在第 {0} 次构建之后改动过；这里是现在的契约。</translation>
    </message>
    <message>
        <source>This is an earlier result: {0}.</source>
        <translation>这是较早的结果：{0}。</translation>
    </message>
    <message>
        <source>the stage has not ended since</source>
        <translation>此后该阶段尚未完成</translation>
    </message>
    <message>
        <source>not_run</source>
        <translation>未运行</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <source>skipped</source>
        <translation>已跳过</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>content</source>
        <translation>无异议</translation>
    </message>
    <message>
        <source>{0} varies as {1}</source>
        <translation>{0} 可变，记为 {1}</translation>
    </message>
    <message>
        <source>no gradient of {0}</source>
        <translation>没有 {0} 的梯度</translation>
    </message>
    <message>
        <source>kernel</source>
        <translation>有内核</translation>
    </message>
    <message>
        <source>missing</source>
        <translation>缺失</translation>
    </message>
    <message>
        <source>passed</source>
        <translation>通过</translation>
    </message>
    <message>
        <source>{0} reports</source>
        <translation>{0} 份报告</translation>
    </message>
    <message>
        <source>not told here</source>
        <translation>此处无从得知</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>not at all</source>
        <translation>未注册</translation>
    </message>
    <message>
        <source>gradcheck in float64</source>
        <translation>float64 下的 gradcheck</translation>
    </message>
    <message>
        <source>{0} is {1}</source>
        <translation>{0} 与 {1} 共用</translation>
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
        <source>Choose one above to see what it measured.</source>
        <translation>在上方选择一个阶段，查看它测得的结果。</translation>
    </message>
</context>
<context>
    <name>ExplanationView</name>
    <message>
        <source>Overview</source>
        <translation>概览</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>诊断</translation>
    </message>
    <message>
        <source>Operators</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Asked and found</source>
        <translation>要求与结果</translation>
    </message>
    <message>
        <source>Code to paste</source>
        <translation>可粘贴的代码</translation>
    </message>
    <message>
        <source>Sections of the explanation</source>
        <translation>解释的各部分</translation>
    </message>
    <message>
        <source>Findings of the export</source>
        <translation>导出的诊断</translation>
    </message>
    <message>
        <source>The selected finding</source>
        <translation>所选诊断</translation>
    </message>
    <message>
        <source>No findings</source>
        <translation>没有诊断</translation>
    </message>
    <message>
        <source>No operator was met</source>
        <translation>没有遇到算子</translation>
    </message>
    <message>
        <source>Nothing was asked for</source>
        <translation>没有提出要求</translation>
    </message>
    <message>
        <source>The file has no nodes</source>
        <translation>文件中没有节点</translation>
    </message>
    <message>
        <source>There is no file</source>
        <translation>没有文件</translation>
    </message>
</context>
<context>
    <name>Export</name>
    <message>
        <source>Cause</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Line</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Wrapped in</source>
        <translation>外层错误</translation>
    </message>
    <message>
        <source> and {0} types more</source>
        <translation>，另有 {0} 种类型</translation>
    </message>
    <message>
        <source>Nodes by type</source>
        <translation>节点（按类型）</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Outputs</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Not as asked</source>
        <translation>与要求不符</translation>
    </message>
    <message>
        <source>Fixed sizes</source>
        <translation>被固定的尺寸</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>{0}: asked {1}, found {2}</source>
        <translation>{0}：要求 {1}，结果为 {2}</translation>
    </message>
    <message>
        <source>{0} became {1}</source>
        <translation>{0} 变成了 {1}</translation>
    </message>
    <message>
        <source>Without a Meta (fake) kernel</source>
        <translation>缺少 Meta（fake）内核</translation>
    </message>
    <message>
        <source>The exporter says</source>
        <translation>导出器的提示</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>调用次数</translation>
    </message>
    <message>
        <source>Lost attributes</source>
        <translation>丢失的属性</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>PyTorch operator</source>
        <translation>PyTorch 算子</translation>
    </message>
    <message>
        <source>Module</source>
        <translation>模块</translation>
    </message>
    <message>
        <source>What</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>Asked</source>
        <translation>要求</translation>
    </message>
    <message>
        <source>It meets no such operator</source>
        <translation>此导出器没有遇到该算子</translation>
    </message>
    <message>
        <source>added by the exporter</source>
        <translation>由导出器添加</translation>
    </message>
    <message>
        <source>opset</source>
        <translation>opset 版本</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>file</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>axis {1} of {0}</source>
        <translation>{0} 的轴 {1}</translation>
    </message>
    <message>
        <source>the sizes of {0}</source>
        <translation>{0} 的各维大小</translation>
    </message>
    <message>
        <source>1 call</source>
        <translation>1 次调用</translation>
    </message>
    <message>
        <source>{0} inputs</source>
        <translation>{0} 个输入</translation>
    </message>
    <message>
        <source>inside the file</source>
        <translation>保存在文件内</translation>
    </message>
    <message>
        <source>valid ONNX</source>
        <translation>有效的 ONNX</translation>
    </message>
    <message>
        <source>varies</source>
        <translation>可变</translation>
    </message>
    <message>
        <source>PyTorch itself refuses {0}: {1}</source>
        <translation>PyTorch 自身拒绝 {0}：{1}</translation>
    </message>
    <message>
        <source>no inputs</source>
        <translation>没有输入</translation>
    </message>
    <message>
        <source>no attributes</source>
        <translation>没有属性</translation>
    </message>
    <message>
        <source>no import</source>
        <translation>没有导入</translation>
    </message>
    <message>
        <source>fixed to {0} by {1}</source>
        <translation>被固定为 {0}，由于 {1}</translation>
    </message>
    <message>
        <source>shape of {0}</source>
        <translation>{0} 的形状</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>no file</source>
        <translation>没有文件</translation>
    </message>
    <message>
        <source>kept</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>translated</source>
        <translation>已转换</translation>
    </message>
    <message>
        <source>decomposed</source>
        <translation>已拆开</translation>
    </message>
    <message>
        <source>equal calls merged</source>
        <translation>相同调用已合并</translation>
    </message>
    <message>
        <source>folded into a constant</source>
        <translation>折叠为常量</translation>
    </message>
    <message>
        <source>unused, left out</source>
        <translation>未使用，已丢掉</translation>
    </message>
    <message>
        <source>never seen: traced through</source>
        <translation>未见到该算子：跟踪进了其内部</translation>
    </message>
    <message>
        <source>left out</source>
        <translation>已丢掉</translation>
    </message>
    <message>
        <source>the export ended here</source>
        <translation>导出在此终止</translation>
    </message>
    <message>
        <source>not reached</source>
        <translation>未到达</translation>
    </message>
    <message>
        <source>TorchScript exporter</source>
        <translation>TorchScript 导出器</translation>
    </message>
    <message>
        <source>dynamo exporter</source>
        <translation>dynamo 导出器</translation>
    </message>
    <message>
        <source>custom nodes</source>
        <translation>自定义节点</translation>
    </message>
    <message>
        <source>standard nodes</source>
        <translation>标准节点</translation>
    </message>
    <message>
        <source>not as asked</source>
        <translation>与要求不符</translation>
    </message>
    <message>
        <source>written, with findings</source>
        <translation>已写出，有诊断</translation>
    </message>
    <message>
        <source>written</source>
        <translation>已写出</translation>
    </message>
    <message>
        <source>its process ended</source>
        <translation>其进程已终止</translation>
    </message>
    <message>
        <source>cannot capture the model</source>
        <translation>无法捕获模型</translation>
    </message>
    <message>
        <source>cannot translate an operator</source>
        <translation>无法转换某个算子</translation>
    </message>
    <message>
        <source>cannot write the file</source>
        <translation>无法写出文件</translation>
    </message>
    <message>
        <source>Symbolic for the TorchScript exporter</source>
        <translation>TorchScript 导出器的 symbolic</translation>
    </message>
    <message>
        <source>Translation for the dynamo exporter</source>
        <translation>dynamo 导出器的转换函数</translation>
    </message>
    <message>
        <source>Meta (fake) kernel</source>
        <translation>Meta（fake）内核</translation>
    </message>
    <message>
        <source>Operator around a function</source>
        <translation>包在函数外面的算子</translation>
    </message>
    <message>
        <source>1 node</source>
        <translation>1 个节点</translation>
    </message>
    <message>
        <source>1 input</source>
        <translation>1 个输入</translation>
    </message>
    <message>
        <source>{0} calls</source>
        <translation>{0} 次调用</translation>
    </message>
    <message>
        <source>{0} nodes</source>
        <translation>{0} 个节点</translation>
    </message>
    <message>
        <source>Exporting with the {0}</source>
        <translation>正在导出：{0}</translation>
    </message>
    <message>
        <source>Building the operators</source>
        <translation>正在构建算子</translation>
    </message>
</context>
<context>
    <name>ExportPanel</name>
    <message>
        <source>Filter rows</source>
        <translation>筛选行</translation>
    </message>
    <message>
        <source>Findings of the export</source>
        <translation>导出的诊断</translation>
    </message>
    <message>
        <source>The selected finding</source>
        <translation>所选诊断</translation>
    </message>
    <message>
        <source> for {0} s</source>
        <translation>，已 {0} 秒</translation>
    </message>
    <message>
        <source>Waiting for the worker</source>
        <translation>正在等待工作进程</translation>
    </message>
    <message>
        <source>This workspace is not trusted</source>
        <translation>此工作区未受信任</translation>
    </message>
    <message>
        <source>To explain an export the operator is built and its model is run as you.</source>
        <translation>解释导出意味着以您的身份构建算子并运行其模型。</translation>
    </message>
    <message>
        <source>{0} is being exported twice</source>
        <translation>正在把 {0} 导出两次</translation>
    </message>
    <message>
        <source>Once by each exporter, in processes of their own.</source>
        <translation>两个导出器各一次，在各自的进程中。</translation>
    </message>
    <message>
        <source>No export was explained yet</source>
        <translation>还没有解释过导出</translation>
    </message>
    <message>
        <source>Both exporters run, side by side: what each made of every operator, why it failed and at which line, and the code to paste.</source>
        <translation>两个导出器并排运行：每个算子的去向，为什么失败、在哪一行，以及可粘贴的代码。</translation>
    </message>
    <message>
        <source>of {0}, with other options</source>
        <translation>{0} 的结果，选项不同</translation>
    </message>
    <message>
        <source>of {0}</source>
        <translation>{0} 的结果</translation>
    </message>
</context>
<context>
    <name>Family</name>
    <message>
        <source>convolutions and matrix products</source>
        <translation>卷积与矩阵乘</translation>
    </message>
    <message>
        <source>activations</source>
        <translation>激活</translation>
    </message>
    <message>
        <source>normalization</source>
        <translation>归一化</translation>
    </message>
    <message>
        <source>pooling and reductions</source>
        <translation>池化与归约</translation>
    </message>
    <message>
        <source>elementwise</source>
        <translation>逐元素</translation>
    </message>
    <message>
        <source>shape and data movement</source>
        <translation>形状与数据搬移</translation>
    </message>
    <message>
        <source>control flow, sequences, randomness</source>
        <translation>控制流、序列、随机</translation>
    </message>
    <message>
        <source>quantization and casts</source>
        <translation>量化与类型转换</translation>
    </message>
    <message>
        <source>other</source>
        <translation>其他</translation>
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
    <name>Fix</name>
    <message>
        <source>Add import {0}</source>
        <translation>添加导入 {0}</translation>
    </message>
    <message>
        <source>Make inputs of {0}</source>
        <translation>将 {0} 改为输入</translation>
    </message>
    <message>
        <source>Describe shapes of {0}</source>
        <translation>描述 {0} 的形状</translation>
    </message>
    <message>
        <source>Import {0}</source>
        <translation>改为导入 {0}</translation>
    </message>
    <message>
        <source>Cast {0}</source>
        <translation>转换类型 {0}</translation>
    </message>
    <message>
        <source>Lower IR version to {0}</source>
        <translation>IR 版本降到 {0}</translation>
    </message>
    <message>
        <source>Lower opset to {0}</source>
        <translation>opset 降到 {0}</translation>
    </message>
    <message>
        <source>Find weights {0}</source>
        <translation>定位权重 {0}</translation>
    </message>
    <message>
        <source>Drop import {0}</source>
        <translation>去掉导入 {0}</translation>
    </message>
    <message>
        <source>Rename {0}</source>
        <translation>改名 {0}</translation>
    </message>
    <message>
        <source>Set {0}</source>
        <translation>设置 {0}</translation>
    </message>
    <message>
        <source>Give nodes own names</source>
        <translation>让节点各有名称</translation>
    </message>
</context>
<context>
    <name>FixOutcome</name>
    <message>
        <source>{0} is written</source>
        <translation>{0} 已写出</translation>
    </message>
    <message>
        <source>It is worse than the original</source>
        <translation>它比原文件差</translation>
    </message>
    <message>
        <source>ONNX Runtime {0} takes it</source>
        <translation>ONNX Runtime {0} 接受它</translation>
    </message>
    <message>
        <source>ONNX Runtime {0} does not take it yet</source>
        <translation>ONNX Runtime {0} 仍不接受它</translation>
    </message>
    <message>
        <source>Worse</source>
        <translation>变差之处</translation>
    </message>
    <message>
        <source>Checker of ONNX</source>
        <translation>ONNX 检查器</translation>
    </message>
    <message>
        <source>Session</source>
        <translation>会话</translation>
    </message>
    <message>
        <source>Run on the same inputs</source>
        <translation>用相同输入运行</translation>
    </message>
    <message>
        <source>{0} of {1} outputs agree</source>
        <translation>{1} 个输出中有 {0} 个一致</translation>
    </message>
    <message>
        <source>not compared: {0}</source>
        <translation>未比较：{0}</translation>
    </message>
    <message>
        <source>Run with {0}</source>
        <translation>以 {0} 运行</translation>
    </message>
    <message>
        <source>it runs</source>
        <translation>可以运行</translation>
    </message>
    <message>
        <source>was not asked</source>
        <translation>未询问</translation>
    </message>
    <message>
        <source>refuses both: {0}</source>
        <translation>两者都拒绝：{0}</translation>
    </message>
    <message>
        <source>refused the original, takes the new file</source>
        <translation>拒绝原文件，接受新文件</translation>
    </message>
    <message>
        <source>refuses the new file: {0}</source>
        <translation>拒绝新文件：{0}</translation>
    </message>
    <message>
        <source>takes both</source>
        <translation>两者都接受</translation>
    </message>
    <message>
        <source>Problems left</source>
        <translation>剩余的问题</translation>
    </message>
    <message>
        <source>{0} of {1} errors</source>
        <translation>{1} 处，其中 {0} 处是错误</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
</context>
<context>
    <name>FixPage</name>
    <message>
        <source>What can be done by machine</source>
        <translation>可以由机器修好的内容</translation>
    </message>
    <message>
        <source>How the new file compares</source>
        <translation>新文件与原文件的比较</translation>
    </message>
    <message>
        <source>Write to a new file…</source>
        <translation>写入新文件…</translation>
    </message>
    <message>
        <source>Open the new file</source>
        <translation>打开新文件</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>All files</source>
        <translation>所有文件</translation>
    </message>
    <message>
        <source>Write the fixed model</source>
        <translation>写出修复后的模型</translation>
    </message>
    <message>
        <source>Being cancelled</source>
        <translation>正在取消</translation>
    </message>
    <message>
        <source> for {0} s</source>
        <translation>，已 {0} 秒</translation>
    </message>
    <message>
        <source>{0} is read and held against the runtime</source>
        <translation>正在读取 {0} 并与运行时对照</translation>
    </message>
    <message>
        <source>Fix {0} of {1} is made: {2}</source>
        <translation>正在进行第 {0} 个修复，共 {1} 个：{2}</translation>
    </message>
    <message>
        <source>The new file is tried beside the original</source>
        <translation>正在与原文件一起试验新文件</translation>
    </message>
    <message>
        <source>Choose another place…</source>
        <translation>另选位置…</translation>
    </message>
    <message>
        <source>Leave it</source>
        <translation>放弃</translation>
    </message>
    <message>
        <source>Weights lie in files beside the original, and a model may only name files of its own folder.</source>
        <translation>权重在原文件旁边的文件里，而模型只能引用自己文件夹中的文件。</translation>
    </message>
    <message>
        <source>Copy them as well</source>
        <translation>一并复制</translation>
    </message>
    <message>
        <source>There is a file {0} already.</source>
        <translation>已有文件 {0}。</translation>
    </message>
    <message>
        <source>Replace it</source>
        <translation>替换</translation>
    </message>
    <message>
        <source>Cancelled: nothing was written.</source>
        <translation>已取消：什么都没有写出。</translation>
    </message>
    <message>
        <source>Back to the fixes</source>
        <translation>回到修复列表</translation>
    </message>
    <message>
        <source>Back to the problems</source>
        <translation>回到问题列表</translation>
    </message>
    <message>
        <source>{0} of {1} chosen</source>
        <translation>已选 {0} 个，共 {1} 个</translation>
    </message>
</context>
<context>
    <name>GraphBar</name>
    <message>
        <source>Asking the runtime…</source>
        <translation>正在询问运行时…</translation>
    </message>
    <message>
        <source>Not resolved</source>
        <translation>未解析</translation>
    </message>
    <message>
        <source>{0} unresolved</source>
        <translation>{0} 个未解析</translation>
    </message>
    <message>
        <source>Refused</source>
        <translation>被拒绝</translation>
    </message>
    <message>
        <source>All resolved</source>
        <translation>全部已解析</translation>
    </message>
    <message>
        <source>Every node is implemented</source>
        <translation>每个节点都有实现</translation>
    </message>
</context>
<context>
    <name>GraphPage</name>
    <message>
        <source>Graph of the model</source>
        <translation>模型的图</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>All files</source>
        <translation>所有文件</translation>
    </message>
    <message>
        <source>Open a model</source>
        <translation>打开模型</translation>
    </message>
    <message>
        <source>Drawing</source>
        <translation>矢量图</translation>
    </message>
    <message>
        <source>Image</source>
        <translation>位图</translation>
    </message>
    <message>
        <source>Save the picture of the graph</source>
        <translation>保存图形</translation>
    </message>
    <message>
        <source>The graph of a model</source>
        <translation>模型的计算图</translation>
    </message>
    <message>
        <source>What its nodes are, how values flow between them, and who implements each. Open an ONNX file, or drop one here; operator libraries can be dropped as well.</source>
        <translation>有哪些节点、值怎样在其间流动、每个节点由谁实现。打开一个 ONNX 文件，或把它拖到这里；算子库也可以拖入。</translation>
    </message>
    <message>
        <source>Reading {0}</source>
        <translation>正在读取 {0}</translation>
    </message>
    <message>
        <source>Drawing {0}</source>
        <translation>正在绘制 {0}</translation>
    </message>
</context>
<context>
    <name>GraphSearch</name>
    <message>
        <source>{0} of {1}</source>
        <translation>第 {0} 个，共 {1} 个</translation>
    </message>
    <message>
        <source>{0} found</source>
        <translation>找到 {0} 个</translation>
    </message>
    <message>
        <source>, {0} in other graphs</source>
        <translation>，其他图中 {0} 个</translation>
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
        <translation>{0} 个节点</translation>
    </message>
    <message>
        <source>{0} equal blocks in a row</source>
        <translation>连续 {0} 个相同的块</translation>
    </message>
    <message>
        <source>{0} of them implemented by nobody</source>
        <translation>其中 {0} 个无实现</translation>
    </message>
    <message>
        <source>A double click opens it</source>
        <translation>双击打开</translation>
    </message>
    <message>
        <source>Input</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Value of the graph around</source>
        <translation>外层图的值</translation>
    </message>
    <message>
        <source>A double click enters it</source>
        <translation>双击进入</translation>
    </message>
    <message>
        <source>output {0} of {1}</source>
        <translation>{1} 的输出 {0}</translation>
    </message>
    <message>
        <source>read by {0} boxes</source>
        <translation>由 {0} 个框使用</translation>
    </message>
    <message>
        <source>input {0} of {1}</source>
        <translation>{1} 的输入 {0}</translation>
    </message>
    <message>
        <source>type not stated</source>
        <translation>未写明类型</translation>
    </message>
    <message>
        <source>Implemented by nobody</source>
        <translation>无实现</translation>
    </message>
    <message>
        <source>A function of the file</source>
        <translation>文件中的函数</translation>
    </message>
    <message>
        <source>Implemented by {0}</source>
        <translation>由 {0} 实现</translation>
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
    <name>LoopDesk</name>
    <message>
        <source>Only read: this workspace is not trusted</source>
        <translation>只读：此工作区未受信任</translation>
    </message>
    <message>
        <source>{0} saved</source>
        <translation>{0} 已保存</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>{0} is not a file</source>
        <translation>{0} 不是文件</translation>
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
        <translation>模型的问题</translation>
    </message>
    <message>
        <source>The selected problem</source>
        <translation>所选问题</translation>
    </message>
    <message>
        <source>{0} of {1} errors</source>
        <translation>{1} 处，其中 {0} 处是错误</translation>
    </message>
    <message>
        <source>Explain {0}</source>
        <translation>说明 {0}</translation>
    </message>
    <message>
        <source>Reading the model</source>
        <translation>正在读取模型</translation>
    </message>
    <message>
        <source>Being held against the runtime&apos;s own lists</source>
        <translation>正在与运行时自己的清单对照</translation>
    </message>
    <message>
        <source>No problems</source>
        <translation>没有问题</translation>
    </message>
    <message>
        <source>ONNX Runtime {0} takes this model, as far as files and its lists tell.</source>
        <translation>就文件和清单而言，ONNX Runtime {0} 接受此模型。</translation>
    </message>
    <message>
        <source>What is wrong with a model appears here once one is open.</source>
        <translation>打开模型后，它的问题会显示在这里。</translation>
    </message>
</context>
<context>
    <name>ModelTree</name>
    <message>
        <source>and {0} more</source>
        <translation>另有 {0} 个</translation>
    </message>
</context>
<context>
    <name>Models</name>
    <message>
        <source>cannot be read</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>being read</source>
        <translation>正在读取</translation>
    </message>
    <message>
        <source>{0} unresolved</source>
        <translation>{0} 个未解析</translation>
    </message>
    <message>
        <source>1 node</source>
        <translation>1 个节点</translation>
    </message>
    <message>
        <source>{0} nodes</source>
        <translation>{0} 个节点</translation>
    </message>
    <message>
        <source>who implements its nodes is being looked up</source>
        <translation>正在查找各节点由谁实现</translation>
    </message>
    <message>
        <source>who implements its nodes is not known</source>
        <translation>不清楚各节点由谁实现</translation>
    </message>
    <message>
        <source>a session takes it</source>
        <translation>会话接受它</translation>
    </message>
    <message>
        <source>a session refuses it</source>
        <translation>会话拒绝它</translation>
    </message>
    <message>
        <source>{0} operators</source>
        <translation>{0} 个算子</translation>
    </message>
    <message>
        <source>1 operator</source>
        <translation>1 个算子</translation>
    </message>
    <message>
        <source>usable</source>
        <translation>可用</translation>
    </message>
    <message>
        <source>not usable</source>
        <translation>不可用</translation>
    </message>
    <message>
        <source>being looked into</source>
        <translation>正在查看</translation>
    </message>
    <message>
        <source>not looked into yet</source>
        <translation>尚未查看</translation>
    </message>
</context>
<context>
    <name>ModelsPanel</name>
    <message>
        <source>Add operator libraries…</source>
        <translation>添加算子库…</translation>
    </message>
    <message>
        <source>Do without the selected library</source>
        <translation>不使用所选的库</translation>
    </message>
    <message>
        <source>Look for models again</source>
        <translation>重新查找模型</translation>
    </message>
    <message>
        <source>Search models</source>
        <translation>搜索模型</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>All files</source>
        <translation>所有文件</translation>
    </message>
    <message>
        <source>Add operator libraries: their code is run to ask what they register</source>
        <translation>添加算子库：将运行其代码，以了解它们注册了什么</translation>
    </message>
    <message>
        <source>There are more; open them with the button above.</source>
        <translation>还有更多；请用上面的按钮打开。</translation>
    </message>
    <message>
        <source>In this workspace</source>
        <translation>此工作区中</translation>
    </message>
    <message>
        <source>From elsewhere</source>
        <translation>来自别处</translation>
    </message>
    <message>
        <source>None. Add some with the button above.</source>
        <translation>没有。可用上面的按钮添加。</translation>
    </message>
    <message>
        <source>Operator libraries</source>
        <translation>算子库</translation>
    </message>
    <message>
        <source>Looking for models</source>
        <translation>正在查找模型</translation>
    </message>
    <message>
        <source>No models yet</source>
        <translation>还没有模型</translation>
    </message>
    <message>
        <source>Files that end in .onnx or .ort appear here by themselves. Others can be opened from anywhere.</source>
        <translation>扩展名为 .onnx 或 .ort 的文件会自动出现在这里。其他位置的模型也可以打开。</translation>
    </message>
</context>
<context>
    <name>NodeDetailsPanel</name>
    <message>
        <source>Copy all that is shown here</source>
        <translation>复制这里显示的全部内容</translation>
    </message>
    <message>
        <source>The selected node</source>
        <translation>所选节点</translation>
    </message>
    <message>
        <source>Being looked up in the runtime&apos;s lists</source>
        <translation>正在运行时的清单中查找</translation>
    </message>
    <message>
        <source>Not known yet</source>
        <translation>尚不清楚</translation>
    </message>
    <message>
        <source>Reading {0}</source>
        <translation>正在读取 {0}</translation>
    </message>
    <message>
        <source>No model is open</source>
        <translation>没有打开的模型</translation>
    </message>
    <message>
        <source>Open one in the panel Models: what it says of its nodes and values appears here.</source>
        <translation>请在“模型”面板中打开一个：其中节点和值的内容会显示在这里。</translation>
    </message>
</context>
<context>
    <name>NodeListPanel</name>
    <message>
        <source>Filter nodes</source>
        <translation>筛选节点</translation>
    </message>
    <message>
        <source>Unresolved only</source>
        <translation>仅未解析</translation>
    </message>
    <message>
        <source>Show the nodes that nobody implements, and no others</source>
        <translation>只显示无实现的节点</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>节点表</translation>
    </message>
    <message>
        <source>Words that a node must have; also type:conv, name:, shape:1x64, attribute:axis, dtype:, by:</source>
        <translation>节点须含有的词；也可用 type:conv、name:、shape:1x64、attribute:axis、dtype:、by:</translation>
    </message>
    <message>
        <source>Reading the model</source>
        <translation>正在读取模型</translation>
    </message>
    <message>
        <source>All nodes are implemented</source>
        <translation>所有节点都有实现</translation>
    </message>
    <message>
        <source>Not known yet</source>
        <translation>尚不清楚</translation>
    </message>
    <message>
        <source>No node fits</source>
        <translation>没有符合的节点</translation>
    </message>
    <message>
        <source>The model has no nodes</source>
        <translation>模型中没有节点</translation>
    </message>
    <message>
        <source>No model is open</source>
        <translation>没有打开的模型</translation>
    </message>
    <message>
        <source>All nodes of a model are listed here, also those of functions and nested graphs.</source>
        <translation>模型的所有节点都列在这里，包括函数和子图中的节点。</translation>
    </message>
</context>
<context>
    <name>NodeTableModel</name>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Domain</source>
        <translation>域</translation>
    </message>
    <message>
        <source>Implemented by</source>
        <translation>实现者</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>图</translation>
    </message>
    <message>
        <source>nobody: {0}</source>
        <translation>无实现：{0}</translation>
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
        <translation>要知道 {0} 提供哪些算子，需要在单独的进程中以您的身份运行其代码。此工作区未受信任：请只在清楚其来源时运行。</translation>
    </message>
    <message>
        <source>Run its code</source>
        <translation>运行其代码</translation>
    </message>
    <message>
        <source>Do without it</source>
        <translation>不使用它</translation>
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
        <translation>opset 版本 {0}</translation>
    </message>
    <message>
        <source>How it is exported: custom operators, opset, dimensions that vary</source>
        <translation>如何导出：自定义算子、opset、可变的维度</translation>
    </message>
    <message>
        <source>How it is exported</source>
        <translation>如何导出</translation>
    </message>
    <message>
        <source>Custom operators</source>
        <translation>自定义算子</translation>
    </message>
    <message>
        <source>Stay nodes of their own domain</source>
        <translation>保留为自定义域节点</translation>
    </message>
    <message>
        <source>Are composed of standard nodes</source>
        <translation>由标准节点组成</translation>
    </message>
    <message>
        <source>Dimensions</source>
        <translation>维度</translation>
    </message>
    <message>
        <source>The inputs are known once the model was explained</source>
        <translation>解释过一次导出后，才知道模型的输入</translation>
    </message>
    <message>
        <source>Opset</source>
        <translation>opset 版本</translation>
    </message>
    <message>
        <source>The contract&apos;s, or the usual one</source>
        <translation>契约规定的，否则为通常的</translation>
    </message>
    <message>
        <source>vary as the contract says</source>
        <translation>按契约可变</translation>
    </message>
    <message>
        <source>all fixed</source>
        <translation>全部固定</translation>
    </message>
    <message>
        <source>first axes vary</source>
        <translation>首轴可变</translation>
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
        <translation>导出</translation>
    </message>
    <message>
        <source>Problems of the model</source>
        <translation>模型的问题</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>节点表</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>详情</translation>
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
        <translation>导出</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>图</translation>
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
        <translation>文件名；&gt; 命令，@ 算子，! 问题，# 节点，: 行</translation>
    </message>
    <message>
        <source>Node of the open model</source>
        <translation>已打开模型的节点</translation>
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
    <name>PreviewView</name>
    <message>
        <source>Parameters of the fix</source>
        <translation>修复的参数</translation>
    </message>
    <message>
        <source>What the fix changes</source>
        <translation>修复的改动</translation>
    </message>
    <message>
        <source>{0} more changes</source>
        <translation>另有 {0} 处改动</translation>
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
        <source>Building the hosts of PyTorch and ONNX Runtime, once for all workspaces</source>
        <translation>正在编译 PyTorch 和 ONNX Runtime 的宿主库，所有工作区只需一次</translation>
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
        <translation>没有包含全部这些词的行</translation>
    </message>
</context>
<context>
    <name>SearchField</name>
    <message>
        <source>Search nodes</source>
        <translation>搜索节点</translation>
    </message>
    <message>
        <source>Words of names, types and values; type:Conv, domain:myops, name:/regular expression/, attribute:axis=1, shape:1x64, dtype:float16, unresolved</source>
        <translation>名称、类型和值中的词；type:Conv、domain:myops、name:/正则表达式/、attribute:axis=1、shape:1x64、dtype:float16、unresolved</translation>
    </message>
    <message>
        <source>Previous one found (Shift+Return)</source>
        <translation>上一个结果（Shift+Return）</translation>
    </message>
    <message>
        <source>Next one found (Return)</source>
        <translation>下一个结果（Return）</translation>
    </message>
</context>
<context>
    <name>SectionView</name>
    <message>
        <source>Copy this section</source>
        <translation>复制此部分</translation>
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
    <name>StageChoice</name>
    <message>
        <source>The stage whose evidence is shown</source>
        <translation>显示哪个阶段的证据</translation>
    </message>
    <message>
        <source>Choose a stage</source>
        <translation>选择阶段</translation>
    </message>
    <message>
        <source>Stage: {0}</source>
        <translation>阶段：{0}</translation>
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
        <translation>已复制</translation>
    </message>
    <message>
        <source>Code to paste</source>
        <translation>可粘贴的代码</translation>
    </message>
    <message>
        <source>The selected code</source>
        <translation>所选代码</translation>
    </message>
    <message>
        <source>No code to paste</source>
        <translation>没有可粘贴的代码</translation>
    </message>
    <message>
        <source>Where an operator lacks a translation or a Meta kernel, a draft of it appears here.</source>
        <translation>算子缺少转换函数或 Meta 内核时，其草稿会显示在这里。</translation>
    </message>
    <message>
        <source>Left to do: {0}</source>
        <translation>还需完成：{0}</translation>
    </message>
    <message>
        <source>To be pasted as it is.</source>
        <translation>可以原样粘贴。</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
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
        <translation>没有算子</translation>
    </message>
    <message>
        <source>What is exported: the selected operator, or a factory of a Python file</source>
        <translation>导出对象：所选算子，或 Python 文件中构造模型的函数</translation>
    </message>
    <message>
        <source>What is exported</source>
        <translation>导出对象</translation>
    </message>
    <message>
        <source>Selected operator: {0}</source>
        <translation>所选算子：{0}</translation>
    </message>
    <message>
        <source>Selected operator: none</source>
        <translation>所选算子：无</translation>
    </message>
    <message>
        <source>In the editor</source>
        <translation>编辑器中</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>之前导出过</translation>
    </message>
    <message>
        <source>A function of a Python file…</source>
        <translation>Python 文件中的函数…</translation>
    </message>
    <message>
        <source>Python files</source>
        <translation>Python 文件</translation>
    </message>
    <message>
        <source>Choose a Python file that makes a model</source>
        <translation>选择构造模型的 Python 文件</translation>
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
