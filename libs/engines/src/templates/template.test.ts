import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { loadTemplateEngine } from './template.ts'

const engine = await loadTemplateEngine()

function render(
  text: string,
  data: unknown = {},
  missingKey: 'default' | 'zero' | 'error' = 'default',
): string {
  return engine.render({ name: 'example', text, data, missingKey })
}

// Also by the two seconds in which a busy machine does less.
const tooLarge = /is larger than|too much work/u
function assertRefused(text: string, message: RegExp, data: unknown = {}): void {
  assert.throws(
    () => render(text, data),
    (error) => error instanceof InvalidInputError && message.test(error.message),
  )
}

const drySha = '6cb951525937865dced818bbdd78c89b2d2b3045'
const reference = {
  author: '"Author Name" <author@example.com>',
  subject: 'chore: make a change',
  sha: 'b82add298aa0',
}

test('a README template lists the commands without escaping them', () => {
  const text = `# Manifest Hydration

\`\`\`shell
git clone {{ .RepoURL }}
git checkout {{ .DrySHA }}
{{ range $command := .Commands -}}
{{ $command }}
{{ end -}}
\`\`\`
{{ if .References -}}
## References

{{ range .References -}}
* [{{ .Commit.SHA | mustRegexFind "[0-9a-f]+" | trunc 7 }}]({{ .Commit.RepoURL }}): {{ .Commit.Subject }}
{{ end -}}
{{ end -}}`
  const RepoURL = 'https://git.example.com/owner/repo'
  const Commit = { SHA: reference.sha, RepoURL, Subject: reference.subject }
  const Commands = ['helm template . --set a=b<c>&d']
  assert.equal(
    render(text, { RepoURL, DrySHA: drySha, Commands, References: [{ Commit }] }),
    `# Manifest Hydration

\`\`\`shell
git clone ${RepoURL}
git checkout ${drySha}
helm template . --set a=b<c>&d
\`\`\`
## References

* [b82add2](${RepoURL}): chore: make a change
`,
  )
})

test('a commit message template shortens the commit and names the authors', () => {
  const text = `{{ .metadata.drySha | trunc 7 }}: {{ .metadata.subject }}
{{- if .metadata.body }}

{{ .metadata.body }}
{{- end }}
{{ range $reference := .metadata.references }}
{{- if $reference.commit.author }}
Co-authored-by: {{ $reference.commit.author }}
{{- end }}
{{- end }}
{{- if .metadata.author }}
Co-authored-by: {{ .metadata.author }}
{{- end }}
`
  const metadata = {
    drySha,
    subject: 'chore: bump image to b82add2',
    body: 'Signed-off-by: CI <ci@example.com>\n',
    author: 'CI <ci@example.com>',
    references: [{ commit: reference }],
  }
  assert.equal(
    render(text, { metadata }),
    `6cb9515: chore: bump image to b82add2

Signed-off-by: CI <ci@example.com>


Co-authored-by: "Author Name" <author@example.com>
Co-authored-by: CI <ci@example.com>
`,
  )
  assert.equal(render(text, { metadata: { drySha } }), '6cb9515: <no value>\n\n')
})

test('integral numbers print as integers and others as Go prints floats', () => {
  const numbers = [1000000, 9007199254740991, -1, 0.5, 1e21, 0.00001]
  assert.equal(
    render('{{ range . }}{{ . }} {{ end }}', numbers),
    '1000000 9007199254740991 -1 0.5 1e+21 1e-05 ',
  )
  assert.equal(render('{{ printf "%d %v" .n .list }}', { n: 7, list: [1, 'a', null] }), '7 [1 a <nil>]')
})

test('a missing key prints no value or is an error with its place', () => {
  assert.equal(render('{{ .absent }}'), '<no value>')
  assert.equal(render('{{ .absent }}', {}, 'zero'), '<no value>')
  assert.throws(() => render('one\n{{ .absent }}', {}, 'error'), {
    name: 'InvalidInputError',
    message: 'template: example:2:3: executing "example" at <.absent>: map has no entry for key "absent"',
  })
  assert.equal(render('one\n{{ .absent }}'), 'one\n<no value>')
})

for (const [text, zero, byDefault] of [
  ['{{ .values.absent }}', '', '<no value>'],
  ['{{ .values.a }}', 'b', 'b'],
  ['{{ .values }}', 'map[a:b]', 'map[a:b]'],
  ['{{ index .values "absent" }}', '', ''],
  ['{{ index .other "absent" }}', '<no value>', '<no value>'],
  ['{{ .other.absent }}', '<no value>', '<no value>'],
  ['{{ (index .list 1).labels.absent }}', '', '<no value>'],
  ['{{ .mixed.absent }}', '<no value>', '<no value>'],
  ['{{ range $key, $value := .values }}{{ $key }}={{ $value }}{{ end }}', 'a=b', 'a=b'],
  ['{{ toJson .values }} {{ toYaml .values }}', '{"a":"b"} a: b', '{"a":"b"} a: b'],
  ['{{ default "d" .values.absent }}{{ eq .values.a "b" }}', 'dtrue', 'dtrue'],
] as const) {
  test(`${text} finds maps of texts as Go does`, () => {
    const data = {
      values: { a: 'b' },
      other: { a: 'b' },
      list: [{}, { labels: {} }],
      mixed: { a: 'b', n: 1 },
    }
    const textMaps = [['values'], ['list', '1', 'labels'], ['mixed'], ['nowhere', 'x'], ['list', '7'], []]
    const of = (missingKey: 'zero' | 'default') =>
      engine.render({ name: 'example', text, data, textMaps, missingKey })
    assert.deepEqual([of('zero'), of('default')], [zero, byDefault])
  })
}

test('functions for dictionaries refuse a map of texts, and an absent key of one can be an error', () => {
  const data = { values: { a: 'b' } }
  const renderStrictly = (text: string) =>
    engine.render({ name: 'example', text, data, textMaps: [['values']], missingKey: 'error' })
  assert.throws(
    () => renderStrictly('{{ hasKey .values "a" }}'),
    /wrong type for value; expected map\[string\]interface \{\}; got map\[string\]string$/,
  )
  assert.throws(() => renderStrictly('{{ .values.x }}'), /at <\.values\.x>: map has no entry for key "x"$/)
})

test('check reports a syntax error with template name and line and renders nothing', () => {
  assert.throws(() => engine.check('readme', 'one\ntwo {{ if }}'), {
    name: 'InvalidInputError',
    message: 'template: readme:2: missing value for if',
  })
  engine.check('readme', '{{ fail "never called" }}')
})

test('functions of environment, network, clock, chance and secrets are unknown', () => {
  const absent =
    `env expandenv getHostByName now ago date dateInZone durationRound randAlpha randAlphaNum randAscii
    randNumeric randInt randBytes uuidv4 shuffle genPrivateKey genCA genSelfSignedCert derivePassword bcrypt htpasswd
    encryptAES decryptAES`.split(/\s+/u)
  for (const name of absent) {
    assert.throws(
      () => render(`{{ ${name} }}`),
      ({ message }: Error) =>
        message.startsWith(`template: example:1: function "${name}" not defined: it `) &&
        message.includes('git') !== message.endsWith('so the same commit would render differently'),
    )
  }
  assert.throws(() => render('{{ emit }}'), { message: 'template: example:1: function "emit" not defined' })
  assert.throws(() => engine.check('readme', '{{ derivePassword 1 "long" "a" "b" "c" }}'), {
    message:
      'template: readme:1: function "derivePassword" not defined: it needs a master password, and both that and its result would be readable in git',
  })
})

test('functions of sprig give what they give in Helm', () => {
  const cases: [string, string][] = [
    ['{{ "hello world" | title | quote }}', '"Hello World"'],
    ['{{ list 3 1 2 | join "-" }}', '3-1-2'],
    ['{{ dig "a" "b" "other" (dict "a" (dict "b" "found")) }}', 'found'],
    ['{{ addf 0.1 0.2 }} {{ add 1 2 3 }} {{ div 7 2 }}', '0.3 6 3'],
    ['{{ default "given" "" }} {{ ternary "yes" "no" true }}', 'given yes'],
    ['{{ semverCompare "^1.2.0" "1.3.0" }} {{ (semver "1.2.3").Minor }}', 'true 2'],
    ['{{ "abc" | sha256sum | trunc 12 }} {{ b64enc "abc" }}', 'ba7816bf8f01 YWJj'],
    ['{{ regexReplaceAll "a(x*)b" "-ab-axxb-" "<$1>" }}', '-<>-<xx>-'],
    ['{{ toJson (dict "b" 1 "a" (list true)) }}', '{"a":[true],"b":1}'],
    ['{{ merge (dict "a" 1) (dict "a" 2 "b" 3) }}', 'map[a:1 b:3]'],
    ['{{ seq 1 3 }} {{ until 3 }} {{ untilStep 0 6 2 }}', '1 2 3 [0 1 2] [0 2 4]'],
    ['{{ toDate "2006-01-02" "2024-02-28" | dateModify "48h" | htmlDate }}', '2024-03-01'],
    ['{{ "line" | nindent 2 }}', '\n  line'],
  ]
  for (const [text, expected] of cases) {
    assert.equal(render(text), expected, text)
  }
  assert.throws(() => render('{{ fail "stop here" }}'), /error calling fail: stop here$/u)
})

test('the functions that Argo CD adds in ApplicationSets are there', () => {
  assert.equal(render('{{ normalize "Feature/One_Two." }}'), 'feature-one-two')
  assert.equal(
    render('{{ slugify 23 true "feat/a_really+awesome_feature_to_test" }}'),
    'feat-a-really-awesome',
  )
  assert.equal(render('{{ toYaml . }}', { b: [1, 'x'], a: null }), 'a: null\nb:\n- 1\n- x')
  assert.equal(render('{{ (fromYaml "a: {b: text}").a.b }} {{ fromYamlArray "[x, 2]" }}'), 'text [x 2]')
})

test('loops, recursion and output are bounded', () => {
  assertRefused('{{ range 1000000000000 }}{{ end }}', /example: too much work/u)
  assertRefused('{{ range 100000 }}{{ range 100000 }}{{ $x := . }}{{ end }}{{ end }}', /too much work/u)
  assertRefused(
    '{{ define "a" }}{{ template "a" }}{{ end }}{{ template "a" }}',
    /exceeded maximum template depth/u,
  )
  assertRefused(
    '{{ define "a" }}{{ if . }}{{ template "a" (sub . 1) }}{{ template "a" (sub . 1) }}{{ end }}{{ end }}{{ template "a" 60 }}',
    /too much work/u,
  )
  assertRefused('{{ range 200000 }}0123456789{{ end }}', tooLarge)
  assert.throws(
    () => engine.render({ name: 'small', text: '12345', data: {}, maxBytes: 4 }),
    /small: the output is larger than 4 bytes/u,
  )
  assert.equal(render('{{ range 3 }}{{ . }}{{ end }}'), '012')
})

test('values that grow out of proportion are refused before they are made', () => {
  for (const call of [
    'repeat 1000000000 "x"',
    'until 1000000000',
    'untilStep 0 9223372036854775807 4611686018427387904',
    'seq 1 1 1000000000',
    'indent 1000000000 "x"',
    'printf "%900000d%900000d%900000d%900000d%900000d" 1 2 3 4 5',
    'uniq (until 100000)',
    'regexReplaceAll "a.*z|a" (repeat 65536 "a") "b"',
    'replace "" (repeat 10000 "x") (repeat 10000 "y")',
  ]) {
    assertRefused(`{{ ${call} }}`, tooLarge)
  }
  assertRefused('{{ $x := "0123456789" }}{{ range 60 }}{{ $x = print $x $x }}{{ end }}', tooLarge)
  assertRefused('{{ $x := list 1 }}{{ range 60 }}{{ $x = list $x $x }}{{ end }}{{ $x }}', tooLarge)
})

test('a dictionary that is changed after it was shared cannot grow without bound', () => {
  assertRefused('{{ $d := dict }}{{ $_ := set $d "self" $d }}{{ $d }}', /nested more than 64 levels/u)
  const chain = `{{ $top := dict }}{{ $place := $top }}{{ range 40 }}{{ $next := dict }}
    {{ $_ := set $place "a" $next }}{{ $_ = set $place "b" $next }}{{ $place = $next }}{{ end }}`
  assertRefused(`${chain}{{ $top }}`, tooLarge)
  assertRefused(`${chain}{{ toJson $top }}`, tooLarge)
  assert.equal(render('{{ $_ := set .a "x" 1 }}{{ .a }} {{ .absent }}', { a: {} }), 'map[x:1] <no value>')
})

test('aliases of YAML are counted each time they are used', () => {
  const lines = ['a: &a [x, x, x, x, x, x, x, x, x, x]']
  for (const [name, aliased] of [
    ['b', 'a'],
    ['c', 'b'],
    ['d', 'c'],
    ['e', 'd'],
    ['f', 'e'],
    ['g', 'f'],
  ]) {
    lines.push(`${name}: &${name} [${`*${aliased},`.repeat(10)}]`)
  }
  assertRefused('{{ fromYaml . }}', /is larger than|excessive aliasing|too much work/u, lines.join('\n'))
})

test('a document of YAML is refused when it takes too long to read', () => {
  assertRefused('{{ fromYamlArray (repeat 100000 "- a") }}', /a document is larger than 262144 bytes/u)
})

test('a template that needs too much memory is refused, and the next one gets a new program', () => {
  // Each level of nesting costs the reader of YAML more than the one before.
  const text = '{{ fromYaml (repeat 60000 "a: ") | len }}'
  assert.throws(
    () => engine.renderPackage({ name: 'deep.yaml', text, objects: '{"Values":{}}' }),
    new ResourceExhaustedError('template: deep.yaml:1: needs more than 512 MiB: make it simpler'),
  )
  assert.equal(render('{{ .a }}', { a: 1 }), '1')
})

test('a template that breaks the program leaves the next one a new program', () => {
  assertRefused('{{ if 1 }}'.repeat(100_000), /^template: example:1: nested or recursive too deeply/u)
  assert.equal(render('{{ .a }}', { a: 1 }), '1')
})
