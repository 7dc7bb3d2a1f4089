import assert from 'node:assert/strict'
import { chmod, mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { configMap } from '../application-fixture.ts'
import { startMeshFixture } from '../mesh-fixture.ts'

/** Does what the objects say, as a program with a flaw does. */
const flawed = `#!/bin/sh
objects=$(cat)
case $objects in
*endless*) while :; do :; done ;;
*flood*) exec head -c 1000000000 /dev/zero ;;
*crash*) kill -9 $$ ;;
*wrong*) echo 'objects.yaml:3: is wrong'; exit 1 ;;
esac
`

test('objects that attack a program of the operator deny their own Application, and others are hydrated', async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'wadi-programs-'))
  await chmod(directory.path, 0o755)
  const program = join(directory.path, 'flawed')
  await writeFile(program, flawed)
  await chmod(program, 0o755)
  const validators = join(directory.path, 'validators.yaml')
  await writeFile(
    validators,
    `validators:
  - {name: flawed, command: [${program}], objects: [ConfigMap/web]}
  - {name: hurried, command: [${program}], timeoutSeconds: 2, objects: [ConfigMap/endless]}
`,
  )
  await using mesh = await startMeshFixture({ environment: { WADI_VALIDATORS: validators } })
  const { fixture } = mesh
  const branch = 'environments/programs'
  const repository = await fixture.createRepository('programs', {
    'programs/a.yaml': configMap('web', '1'),
    'wadi.yaml':
      'gates: {secrets: "off"}\nwaivers: [{rule: programs, reason: demo, owner: shop, expires: 2999-12-31}]\n',
  })
  const application = { name: 'programs', repoURL: repository.url, branch }
  await fixture.applyOperatorSettings({
    'wadi.gates': '[{gate: programs, severity: deny, programs: [flawed, hurried]}]',
  })
  await fixture.applyAndWait(await repository.dry.head(), application)
  const head = await repository.head(branch)
  for (const [name, value, reason] of [
    ['endless', 'endless', /gate programs\/hurried: hurried (took longer than 2 s|used more than)/],
    ['web', 'flood', /gate programs\/flawed: flawed wrote more than 1048576 bytes/],
    ['web', 'crash', /gate programs\/flawed: .*killed/],
    ['web', 'wrong', /programs\/flawed ConfigMap\/web: is wrong; the waiver in wadi\.yaml does not cover it/],
  ] as const) {
    await repository.push({ 'programs/a.yaml': configMap(name, value) })
    const { currentOperation } = await fixture.hydrate('programs')
    assert.match(currentOperation?.message ?? '', reason, value)
    assert.equal(await repository.head(branch), head)
  }
  const other = await fixture.createRepository('beside', { 'beside/a.yaml': configMap('web', '1') })
  await fixture.applyAndWait(await other.dry.head(), {
    name: 'beside',
    repoURL: other.url,
    branch: 'environments/beside',
  })
  await fixture.hydrateTo(await repository.push({ 'programs/a.yaml': configMap('web', 'good') }), 'programs')
})
