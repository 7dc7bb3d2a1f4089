import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { loadTemplateEngine } from './template.ts'

test('printf prints no address in memory, which would be another one each time', async () => {
  const engine = await loadTemplateEngine()
  const objects = '{"Values":{"list":["a"]},"Pkg":{}}'
  const render = (text: string): string => engine.renderPackage({ name: 'p', text, objects })
  for (const text of [
    '"%p" .Values',
    '(print "%" "-8p") .Values.list',
    '"%[1]p" .Values',
    '"%d" .Pkg',
    '"%#v" .Pkg',
  ]) {
    assert.throws(
      () => render(`{{ printf ${text} }}`),
      (error) => error instanceof InvalidInputError && /prints an address in memory/.test(error.message),
      text,
    )
  }
  assert.equal(render('{{ printf "%%p %5d|%x|%T" 1 .Values.list 1 }}'), '%p     1|[61]|int')
  assert.throws(() =>
    engine.render({ name: 'p', text: '{{ printf "%p" . }}', data: {}, missingKey: 'error' }),
  )
})
