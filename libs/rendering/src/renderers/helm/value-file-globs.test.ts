import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RenderFixture, reportedParameters, testSource, testTools } from '../../run/render-fixture.ts'

const tools = await testTools()

const files: Record<string, string> = {
  'app/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
  'app/values.yaml': 'last: none\n',
  'app/templates/one.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: one}\ndata: {last: {{ .Values.last | quote }}}\n',
}
for (const name of ['z', '10', '9', 'B', '.hidden', 'a', 'b.d/e', 'nested/c', 'nested/deep/d']) {
  files[`app/envs/${name}.yaml`] = `last: ${name}\n`
}

/** The value files in Helm's order, which of them decides, and where explaining says that it is from. */
async function seen(...valueFiles: string[]): Promise<{ files: string[]; last: string; from: string }> {
  await using fixture = new RenderFixture(tools, files)
  fixture.link('app/envs/linkdir', 'nested')
  fixture.link('app/envs/y-link.yaml', 'a.yaml')
  const rendered = await fixture.render(testSource('app', { helm: { valueFiles } }))
  const manifest: { data: { last: string } } = JSON.parse(rendered.manifests[0] ?? '')
  const [row] = reportedParameters(rendered).filter(({ path }) => path === '.last')
  assert.equal(row?.value, manifest.data.last)
  const [command = ''] = rendered.record.commands.filter((text) => text.includes(' template '))
  const named = Array.from(command.matchAll(/--values '?([^' ]+)/g), ([, file = '']) => file)
  return {
    files: named.map((file) => file.replace(/^.*envs\//, '').replace(/\.yaml$/, '')),
    last: manifest.data.last,
    from: (row?.from?.file ?? '').replace(/^.*envs\//, ''),
  }
}

test('value files of ** are taken directory by directory, and through links to directories', async () => {
  assert.deepEqual(await seen('envs/**/*.yaml'), {
    files: '.hidden 10 9 B a y-link z b.d/e linkdir/c linkdir/deep/d nested/c nested/deep/d'.split(' '),
    last: 'nested/deep/d',
    from: 'nested/deep/d.yaml',
  })
})

for (const [patterns, expected] of [
  [['envs/linkdir/*.yaml'], 'linkdir/c'],
  [['./envs/linkdir/**'], 'linkdir/c linkdir/deep/d'],
  [['envs/**/d.yaml'], 'linkdir/deep/d nested/deep/d'],
  [['envs/{z,a,nested/c}.yaml'], 'a nested/c z'],
  [['envs/[!a-z]*.yaml', 'envs/**/c.yaml'], '.hidden 10 9 B linkdir/c nested/c'],
  [['envs/z.yaml', 'envs/*.yaml', 'envs/[za].yaml'], 'z .hidden 10 9 B a y-link'],
  [['envs/*.yaml', 'envs/B.yaml'], '.hidden 10 9 a y-link z B'],
] as const) {
  test(`value files ${patterns.join(', ')} are ${expected}`, async () => {
    assert.deepEqual((await seen(...patterns)).files, expected.split(' '))
  })
}

test('a change of a file behind a linked directory is another input', async () => {
  await using fixture = new RenderFixture(tools, files)
  fixture.link('app/envs/linkdir', '../../elsewhere')
  fixture.write('elsewhere/x.yaml', 'last: one\n')
  const source = testSource('app', { helm: { valueFiles: ['envs/**/*.yaml'] } })
  const before = await fixture.inspect(source)
  fixture.write('elsewhere/y.yaml', 'last: two\n')
  const after = await fixture.inspect(source)
  assert.notEqual(after.fingerprint, before.fingerprint)
})
