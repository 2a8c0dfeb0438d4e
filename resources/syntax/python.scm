; What is coloured in Python. Inner captures win over outer ones.
(comment) @comment
(string) @string
(escape_sequence) @number
(interpolation) @plain
[(integer) (float) (true) (false) (none)] @number
(type) @type
(class_definition name: (identifier) @type)
(function_definition name: (identifier) @function)
(call function: (identifier) @function)
(call function: (attribute attribute: (identifier) @function))
(decorator) @preprocessor
[
  "and" "as" "assert" "async" "await" "break" "class" "continue" "def" "del" "elif" "else" "except" "finally" "for"
  "from" "global" "if" "import" "in" "is" "lambda" "match" "case" "nonlocal" "not" "or" "pass" "raise" "return" "try"
  "while" "with" "yield"
] @keyword
