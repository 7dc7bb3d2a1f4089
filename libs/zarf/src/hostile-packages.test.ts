import assert from 'node:assert/strict'
import { test } from 'node:test'
import { processMs } from '@wadi/testing/processor-time.ts'
import { lintPackage } from './lint/lint-package.ts'
import { memoryFiles } from './memory-files-fixture.ts'
import { packageText, rejectionOf, renderOf, templatePackage } from './package-fixture.ts'
import { planPackage } from './plan/plan-package.ts'

for (const [what, template] of [
  [
    'a loop that multiplies',
    '{{ range until 10000 }}{{ range until 10000 }}{{ range until 10000 }}x{{ end }}{{ end }}{{ end }}',
  ],
  ['a text that doubles', '{{ $x := "x" }}{{ range until 60 }}{{ $x = print $x $x }}{{ end }}{{ $x }}'],
  ['a template that calls itself', '{{ define "a" }}{{ template "a" . }}{{ end }}{{ template "a" . }}'],
  ['a text that is repeated', '{{ repeat 1000000000 "x" }}'],
  ['an expression that backtracks', '{{ regexMatch (repeat 1000 "(a*)*") (repeat 100000 "a") }}'],
] as const) {
  test(`${what} is refused in seconds`, async () => {
    const milliseconds = await processMs(async () => {
      assert.match(await rejectionOf(templatePackage(template)), /^p\/m\.yaml/)
    })
    assert.ok(milliseconds < 20_000)
  })
}

test('a values file of a hundred megabytes is refused before it is read as YAML', async () => {
  const content = templatePackage('x')
  const files = memoryFiles({ ...content, 'p/v.yaml': Buffer.alloc(100 * 1024 * 1024, 0x20) })
  await assert.rejects(
    planPackage(files, 'p'),
    /p\/v\.yaml has 104857600 bytes, 10485760 are allowed: split the file/,
  )
})

test('anchors that explode are refused', async () => {
  const levels = Array.from({ length: 12 }, (_, level) => {
    const before = Array.from({ length: 10 }, () => (level === 0 ? 'x' : `*l${level - 1}`)).join(', ')
    return `l${level}: &l${level} [${before}]`
  })
  const found = await lintPackage(memoryFiles(templatePackage('x', levels.join('\n'))), 'p')
  assert.deepEqual([found[0]?.at?.file, found[0]?.at?.line], ['p/v.yaml', 6])
})

test('keys that mean something to JavaScript are keys like any other', async () => {
  const values =
    '__proto__: {polluted: 1}\nconstructor: {prototype: {polluted: 2}}\na: {__proto__: 3}\ntoString: t\n'
  const template =
    '{{ index .Values "__proto__" "polluted" }} {{ .Values.constructor.prototype.polluted }} {{ .Values.a.__proto__ }} {{ .Values.toString }}'
  const content = {
    ...templatePackage(template, values),
    'p/zarf-config.yaml':
      'package: {deploy: {set: {__proto__: x, constructor: y}, set_values: {__proto__.more: "4"}}}\n',
  }
  assert.equal(await renderOf(content), '1 2 3 t\n')
  assert.equal(Reflect.get({}, 'polluted'), undefined)
  assert.equal(Reflect.get({}, 'more'), undefined)
})

test('a file that is not a string, and lists where maps belong, are refused with the file', async () => {
  const content = templatePackage('x')
  const binary = memoryFiles({ ...content, 'p/m.yaml': Uint8Array.of(0xff, 0xfe, 0) })
  await assert.rejects(planPackage(binary, 'p'), /p\/m\.yaml:1: the file is UTF-16; save the file as UTF-8/)
  assert.match(await rejectionOf({ ...content, 'p/v.yaml': '[1]' }), /p\/v\.yaml:1:1: /)
  assert.match(await rejectionOf({ 'p/zarf.yaml': '- 1\n' }), /p\/zarf\.yaml:1:1: /)
  assert.match(
    await rejectionOf({ 'p/zarf.yaml': packageText('').replace('PackageConfig', 'InitConfig') }),
    /cannot be hydrated/,
  )
})
