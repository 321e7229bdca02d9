# check: holds a stream to its schema, line by line.
#
#     jq -n -r --slurpfile schema schemas/perflens.analysis.schema.json -f schemas/check.jq STREAM
#
# prints one line a violation, and nothing when there is none. Streams of any length: one record is
# in memory at a time.
#
# The files of schemas/ are JSON Schemas of one line of a stream. What is understood of JSON Schema
# is: $ref ("#/…"), type, enum, const, pattern, minimum, properties, required,
# additionalProperties (as a schema), items, oneOf. Stricter than JSON Schema is, and as our own
# writers are held to: where there are `properties`, other members are violations, and members stand
# in the order of `properties`. `records` are the records by their "type"; `order` says which types
# may follow each, "" being the start and the end of the stream. A schema without `records` is of a
# document, which is held to it as a whole.

def resolve($root):
	if has("$ref") then .["$ref"] as $ref | $root | getpath($ref | ltrimstr("#/") | split("/"))
	else . end;

def kind:
	if type == "number" and . == floor then "integer" else type end;

def is_a($types):
	kind as $kind
	| $types | if type == "array" then . else [.] end
	| any(. == $kind or (. == "number" and $kind == "integer"));

def violations($schema; $root; $path):
	def members($s):
		. as $v
		| ($s.required // [] | .[] | . as $name | select($v | has($name) | not)
		   | "\($path): no member \(.)"),
		  (if $s | has("properties") then
			($v | keys_unsorted) as $names
			| [$names[] | select(. as $name | $s.properties | has($name))] as $known
			| ($names - $known | .[] | select($s | has("additionalProperties") | not)
			   | "\($path): unknown member \(.)"),
			  ($s.properties | keys_unsorted
			   | [.[] | select(. as $name | $v | has($name))]
			   | select(. != $known) | "\($path): members in the order \($known | join(", "))"),
			  ($known[] as $name
			   | $v[$name] | violations($s.properties[$name]; $root; "\($path).\($name)"))
		   else empty end),
		  (if $s | has("additionalProperties") then
			$v | keys_unsorted - ($s.properties // {} | keys) | .[] as $name
			| $v[$name]
			| violations($s.additionalProperties; $root; "\($path).\($name)")
		   else empty end);
	. as $v
	| ($schema | resolve($root)) as $s
	| if ($s | has("type")) and (is_a($s.type) | not) then
		"\($path): \($v | kind), not \($s.type | if type == "array" then join(" or ") else . end)"
	  else
		(if $s | has("const") and $v != .const then "\($path): \($v | tojson), not \($s.const)"
		 else empty end),
		(if $s | has("enum") and (.enum | index([$v]) | not) then
			"\($path): \($v | tojson) is none of \($s.enum | map(tostring) | join(", "))"
		 else empty end),
		(if ($s | has("pattern")) and ($v | type) == "string" and ($v | test($s.pattern) | not) then
			"\($path): \($v | tojson) does not match \($s.pattern)"
		 else empty end),
		(if ($s | has("minimum")) and ($v | type) == "number" and $v < $s.minimum then
			"\($path): \($v) is less than \($s.minimum)"
		 else empty end),
		(if $s | has("oneOf") then
			[$s.oneOf[] as $one | select([$v | violations($one; $root; $path)] == [])] | length
			| select(. != 1) | "\($path): \(.) of the \($s.oneOf | length) forms match, not 1"
		 else empty end),
		(if $v | type == "object" then members($s) else empty end),
		(if ($v | type) == "array" and ($s | has("items")) then
			range($v | length) as $i
			| $v[$i] | violations($s.items; $root; "\($path)[\($i)]")
		 else empty end)
	  end;

def type_of_record:
	if type == "object" then .type | if type == "string" then . else "(\(type))" end
	else "(\(type))" end;

def stream($root):
	foreach ((inputs | [.]), []) as $line
		({line: 0, type: ""};
		 {line: (.line + 1), before: .type,
		  type: (if $line == [] then "" else $line[0] | type_of_record end)};
		 . as $at
		 | "line \(.line): " + (
			if .type != "" and ($root.records | has($at.type) | not) then "unknown record \(.type)"
			else
				($root.order[.before] // [.type] | select(index($at.type) | not)
				 | (if $at.type == "" then "the stream ends" else $at.type end)
				   + " after " + (if $at.before == "" then "the start" else $at.before end)),
				($line[] | violations($root.records[$at.type]; $root; $at.type))
			end));

$schema[0] as $root
| if $root | has("records") then stream($root)
  else inputs | violations($root; $root; "document") end
