import { configMap } from '../application-fixture.ts'
import type { MeshFixture } from '../mesh-fixture.ts'
import type { RepositoryFixture } from '../repository-fixture.ts'

// Put together, so that no scanner takes this file for a leak.
const leak = ['ghp', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('_')
const longName = 'a-configuration-with-a-name-that-is-longer-than-most'

/** Hydrates an Application whose objects have a warning, one in a file with a long name, and a finding that a waiver covers. */
export async function makeFindings(
  { fixture }: Pick<MeshFixture, 'fixture'>,
  name: string,
): Promise<RepositoryFixture> {
  const waiver = { rule: 'secrets', object: 'ConfigMap/demo', owner: 'shop', reason: 'a demo' }
  const repository = await fixture.createRepository(name, {
    'wadi.yaml': `gates: {secrets: warn}\nwaivers: [${JSON.stringify({ ...waiver, expires: '2999-12-31' })}]\n`,
    [`${name}/web.yaml`]: configMap('web', leak),
    [`${name}/${longName}.yaml`]: configMap(longName, leak.replace('wWPw', 'xXQx')),
    [`${name}/demo.yaml`]: configMap('demo', leak.replace('wWPw', 'yYRy')),
  })
  const application = { name, repoURL: repository.url, branch: `environments/${name}` }
  await fixture.applyAndWait(await repository.dry.head(), application)
  return repository
}
