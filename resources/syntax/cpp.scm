; What is coloured in C++ and CUDA. Inner captures win over outer ones.
(comment) @comment
[(string_literal) (raw_string_literal) (char_literal) (system_lib_string)] @string
(escape_sequence) @number
[(number_literal) (true) (false) (null) "nullptr"] @number
[(primitive_type) (type_identifier) (sized_type_specifier)] @type
(auto) @type
[(this)] @keyword
(namespace_identifier) @type
(call_expression function: (identifier) @function)
(call_expression function: (qualified_identifier name: (identifier) @function))
(call_expression function: (qualified_identifier name: (qualified_identifier name: (identifier) @function)))
(call_expression function: (field_expression field: (field_identifier) @function))
(template_function name: (identifier) @function)
(template_method name: (field_identifier) @function)
(function_declarator declarator: (identifier) @function)
(function_declarator declarator: (field_identifier) @function)
(function_declarator declarator: (qualified_identifier name: (identifier) @function))
[(preproc_directive) "#define" "#elif" "#else" "#endif" "#if" "#ifdef" "#ifndef" "#include"] @preprocessor
(preproc_def name: (identifier) @preprocessor)
(preproc_function_def name: (identifier) @preprocessor)
[
  "alignas" "alignof" "break" "case" "catch" "class" "co_await" "co_return" "co_yield" "const" "constexpr" "continue"
  "decltype" "default" "delete" "do" "else" "enum" "explicit" "extern" "final" "for" "friend" "goto" "if" "inline"
  "mutable" "namespace" "new" "noexcept" "operator" "override" "private" "protected" "public" "return" "sizeof" "static"
  "static_assert" "struct" "switch" "template" "thread_local" "throw" "try" "typedef" "typename" "union" "using"
  "virtual" "volatile" "while"
] @keyword
