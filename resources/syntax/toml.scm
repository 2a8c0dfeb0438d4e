; What is coloured in TOML. Inner captures win over outer ones.
(comment) @comment
(string) @string
(escape_sequence) @number
[(integer) (float) (boolean)] @number
[(offset_date_time) (local_date_time) (local_date) (local_time)] @number
(table [(bare_key) (dotted_key) (quoted_key)] @type)
(table_array_element [(bare_key) (dotted_key) (quoted_key)] @type)
(pair (bare_key) @keyword)
(pair (dotted_key) @keyword)
