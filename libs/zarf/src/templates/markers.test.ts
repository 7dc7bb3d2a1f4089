import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Finding } from '../lint/finding.ts'
import { refuseMarkers, replaceMarkers } from './markers.ts'
import type { Marker } from './markers.ts'

const markers = new Map<string, Marker>([
  ['VAR_A', { value: 'x', autoIndent: false, isState: false }],
  ['VAR_LINES', { value: 'one\ntwo', autoIndent: true, isState: false }],
  ['VAR_NEST', { value: '###ZARF_VAR_A###', autoIndent: false, isState: false }],
])

for (const [text, replaced] of [
  ['a: ###ZARF_VAR_A###', 'a: x\n'],
  ['a: ###ZARF_VAR_A######ZARF_VAR_A###\r\nb\n', 'a: xx\nb\n'],
  ['a: ###ZARF_VAR_OTHER### ###zarf_var_a###\n', 'a: ###ZARF_VAR_OTHER### ###zarf_var_a###\n'],
  ['  k: ###ZARF_VAR_LINES### z', '  k: one\n     two z\n'],
  ['###ZARF_VAR_A### ###ZARF_VAR_LINES###', 'x one\n two\n'],
  ['###ZARF_VAR_NEST###', '###ZARF_VAR_A###\n'],
  ['', ''],
  ['\n', '\n'],
] as const) {
  test(`${JSON.stringify(text)} becomes ${JSON.stringify(replaced)}`, () => {
    assert.equal(replaceMarkers(text, markers, 'm.yaml').text, replaced)
  })
}

test('markers that stand for secrets or for the time are refused with their lines', () => {
  const findings: Finding[] = []
  const text = 'a\nb: ###ZARF_REGISTRY_AUTH_PUSH###\nc: ###ZARF_HTPASSWD### ###ZARF_DATA_INJECTION_MARKER###'
  refuseMarkers(replaceMarkers(text, markers, 'm.yaml'), 'web', { file: 'm.yaml' }, findings)
  assert.deepEqual(
    findings.map(({ at, message }) => [at?.line, message.split(' ')[0]]),
    [
      [2, '###ZARF_REGISTRY_AUTH_PUSH###'],
      [3, '###ZARF_DATA_INJECTION_MARKER###'],
    ],
  )
  refuseMarkers(replaceMarkers(text, markers, 'm.yaml'), 'zarf-registry', { file: 'm.yaml' }, findings)
  assert.ok(findings.some(({ message }) => message.startsWith('###ZARF_HTPASSWD###')))
})
