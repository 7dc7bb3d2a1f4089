import { storePolicy, storeProject } from '../authorization/policy-fixture.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { type GatewayFixture, openGatewayFixture, sampleApplication } from '../gateway-fixture.ts'

const sha = 'd'.repeat(40)
const change = { path: 'p', before: 'a', after: 'b' }
const peers = {
  repoServer: {
    resolveRevisions: () => ({ revisions: [{ sha, ref: 'refs/heads/main' }] }),
    getParameters: () => ({ renderer: 'helm' }),
    editParameters: () => ({ file: change }),
    renderSources: async function* () {
      yield { index: 0, done: true, manifests: ['{"apiVersion":"v1","kind":"A","metadata":{"name":"a"}}'] }
    },
    inspectSources: () => ({ inspections: [{ fingerprint: 'f' }] }),
  },
  commitServer: {
    getBranch: () => ({}),
    getManifests: () => ({ manifest: 'apiVersion: v1\nkind: A\nmetadata: {name: a}\n' }),
    listHistory: () => ({}),
    commitFiles: () => ({ sha }),
  },
  hydrator: { hydrateApplication: () => ({}), refreshRepository: () => ({}), getGates: () => ({}) },
}

/** The Application `web` of a project, or another one of it. */
export function application(project: string, name = 'web'): Resource {
  return sampleApplication(name, { project })
}

/** Opens a gateway with the projects `dev` and `prod`, the Application `web` of `dev`, helpful peers, and a policy. */
export async function openWith(...policy: string[]): Promise<GatewayFixture> {
  const fixture = await openGatewayFixture(peers)
  const { context } = fixture
  for (const project of ['dev', 'prod']) await storeProject(context, project)
  await context.store.create(application('dev'))
  await storePolicy(context, ...policy)
  return fixture
}
