import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatFinding } from './lint/finding.ts'
import { lintPackage } from './lint/lint-package.ts'
import { memoryFiles } from './memory-files-fixture.ts'
import { templatePackage } from './package-fixture.ts'
import { planPackage } from './plan/plan-package.ts'

async function lint(template: string): Promise<string[]> {
  const files = memoryFiles(templatePackage(template))
  return (await lintPackage(files, 'p')).map(formatFinding)
}

const clock = `now ago date dateInZone date_in_zone dateModify date_modify mustDateModify must_date_modify htmlDate
  htmlDateInZone durationRound`
const chance = `randAlphaNum randAlpha randAscii randNumeric randBytes randInt uuidv4 shuffle bcrypt htpasswd encryptAES
  genPrivateKey genCA genCAWithKey genSelfSignedCert genSelfSignedCertWithKey genSignedCert genSignedCertWithKey`

for (const name of `${clock} ${chance} env expandenv getHostByName`.split(/\s+/)) {
  test(`a package whose template calls ${name} is refused with the place of the call`, async () => {
    const [found, ...others] = await lint(`a: b\nb: {{ ${name} "x" }}`)
    assert.deepEqual(others, [])
    assert.match(found ?? '', new RegExp(`^p/m\\.yaml:2:7: function "${name}" .* would render differently`))
    const files = memoryFiles(templatePackage(`a: b\nb: {{ ${name} "x" }}`))
    await assert.rejects(planPackage(files, 'p'), {
      name: 'InvalidInputError',
      message: new RegExp(`p/m\\.yaml:2:7: function "${name}"`),
    })
  })
}

for (const template of [
  '{{ "x" | now }}',
  '{{ $made := now }}{{ $made }}',
  '{{ $made := "x" }}{{ $made = now }}',
  '{{ (now).Year }}',
  '{{ now.Year }}',
  '{{ printf "%v" (list (dict "a" now)) }}',
  '{{ if now }}{{ end }}',
  '{{ if false }}{{ else if now }}{{ end }}',
  '{{ if false }}{{ now }}{{ end }}',
  '{{ with now }}{{ . }}{{ end }}',
  '{{ range $index, $each := list now }}{{ end }}',
  '{{ range list }}{{ else }}{{ now }}{{ end }}',
  '{{ define "part" }}{{ now }}{{ end }}',
  '{{ block "part" . }}{{ now }}{{ end }}',
  '{{ template "part" now }}{{ define "part" }}{{ end }}',
  '{{ and true now }}',
  '{{- now -}}',
]) {
  test(`the clock is found in ${template}`, async () => {
    const found = await lint(`a: b\n# ${template}`)
    assert.equal(found.length, 1, found.join('\n'))
    assert.match(found[0] ?? '', /^p\/m\.yaml:2:\d+: function "now" reads the clock/)
  })
}

test('fields, variables and strings with these names are not calls', async () => {
  assert.deepEqual(
    await lint('a: {{ "now" }} {{ $now := "x" }}{{ $now }} {{ (dict "now" "y").now }} {{/* now */}}'),
    [],
  )
})
