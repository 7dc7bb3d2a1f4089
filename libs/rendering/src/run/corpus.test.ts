import assert from 'node:assert/strict'
import { cpSync, existsSync, globSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { corpus, corpusPlaces } from './corpus-fixture.ts'
import { changesOf, describeSource, editSource } from './parameters-fixture.ts'
import { guardForTests } from './guard-fixture.ts'
import { RenderFixture, testSource, testTools } from './render-fixture.ts'

const places = corpusPlaces
const tools = await testTools()

for (const place of places) {
  test(`every public example of ${place} renders like the bare tool`, async () => {
    await using fixture = new RenderFixture(tools, {})
    cpSync(join(corpus, place), fixture.directory, { recursive: true })
    let compared = 0
    for (const entry of readdirSync(fixture.directory, { withFileTypes: true })) {
      if (!entry.isDirectory() || entry.name === 'helm-dependency') continue
      const source = testSource(entry.name)
      const { renderer } = await fixture.inspect(source)
      if (renderer !== 'helm' && renderer !== 'kustomize') continue
      const args = renderer === 'helm' ? ['template', entry.name, '--include-crds'] : [entry.name]
      const { manifests, widened } = await fixture.render(source)
      // Some charts make a new password or certificate every time; nobody can render those twice alike.
      const bare = await fixture.bare(renderer, ...args)
      if (JSON.stringify(bare) !== JSON.stringify(manifests)) {
        assert.notDeepEqual(bare, await fixture.bare(renderer, ...args), entry.name)
      }
      assert.equal(manifests.length, bare.length)
      assert.equal(widened, false)
      compared += 1
    }
    assert.ok(compared >= 4)
  })
}

for (const place of places) {
  test(`every public chart of ${place} is rendered fast as helm renders it, or known to be unsupported`, async () => {
    await using fixture = new RenderFixture(tools, {})
    cpSync(join(corpus, place), fixture.directory, { recursive: true })
    const { render, outcomes, messages } = guardForTests(fixture)
    for (const entry of readdirSync(fixture.directory, { withFileTypes: true })) {
      if (!entry.isDirectory() || !existsSync(join(fixture.directory, entry.name, 'Chart.yaml'))) continue
      if (entry.name === 'helm-dependency') continue
      await render(testSource(entry.name, { helm: { releaseName: 'web' } }, 'apps'), true)
    }
    assert.deepEqual(new Set(outcomes).difference(new Set(['equal', 'unsupported'])), new Set())
    assert.ok(outcomes.includes('equal'))
    for (const message of messages) assert.match(message, /does not run the function \w+$/)
  })
}

for (const place of places) {
  test(`no value of a public chart of ${place} is doubted, and a name that none has is`, async () => {
    await using fixture = new RenderFixture(tools, {})
    cpSync(join(corpus, place), fixture.directory, { recursive: true })
    for (const entry of readdirSync(fixture.directory, { withFileTypes: true })) {
      if (!existsSync(join(fixture.directory, entry.name, 'values.yaml')) || entry.name === 'helm-dependency')
        continue
      const source = testSource(entry.name)
      const { parameters } = await describeSource(fixture, source)
      const names = parameters.flatMap(({ name, group }) => (group === 'values' && name ? [name] : []))
      for (const name of names.filter((_, index) => index % 5 === 0)) {
        const edited = await editSource(fixture, source, changesOf(`${name}=x`)).catch(() => undefined)
        assert.deepEqual(edited?.warnings ?? [], [], entry.name)
      }
      const { warnings } = await editSource(fixture, source, changesOf('zzWadi=x'))
      assert.match(warnings.join(), /^zzWadi: the chart has no such value/, entry.name)
    }
  })
}

test(
  'every public kustomization is built fast as the tool builds it',
  { skip: !places.includes('argocd-example-apps') },
  async () => {
    await using fixture = new RenderFixture(tools, {})
    cpSync(join(corpus, 'argocd-example-apps'), fixture.directory, { recursive: true })
    const { render, outcomes, messages } = guardForTests(fixture)
    for (const file of globSync('*/kustomization.yaml', { cwd: fixture.directory })) {
      await render(testSource(dirname(file)), true)
    }
    assert.ok(outcomes.length > 1)
    assert.deepEqual(new Set(outcomes), new Set(['equal']), messages.join('\n'))
  },
)
