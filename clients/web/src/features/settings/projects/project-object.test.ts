import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  changedProject,
  copiedProject,
  destinationObjects,
  destinationsOf,
  editedProject,
  renamedProject,
  withField,
} from './project-object.ts'

const stored = {
  kind: 'AppProject',
  metadata: { name: 'dev', namespace: 'argocd', resourceVersion: '7', uid: 'u' },
  spec: {
    sourceRepos: ['*'],
    destinations: [{ server: '*', namespace: 'shop' }],
    clusterResourceWhitelist: [{ group: '*', kind: '*' }],
    roles: [
      {
        name: 'ci',
        policies: [
          'p, proj:dev:ci, applications, get, dev/*, allow',
          'p, proj:dev:ci, applications, get, devel/x, deny',
        ],
        jwtTokens: [{ iat: 1 }],
      },
    ],
  },
  status: { jwtTokensByRole: {} },
}

test('a project is edited without what the server owns, and stored in the version that was seen', () => {
  const edited = editedProject(stored)
  assert.deepEqual(edited['metadata'], { name: 'dev', namespace: 'argocd' })
  assert.ok(!JSON.stringify(edited).includes('jwtTokens'))
  assert.deepEqual(changedProject(edited, stored)['metadata'], {
    name: 'dev',
    namespace: 'argocd',
    resourceVersion: '7',
  })
})

test('a copy has another name, also in the rules of its roles', () => {
  const copy = JSON.stringify(copiedProject(stored))
  assert.match(copy, /p, proj:dev-copy:ci, applications, get, dev-copy\/\*, allow/)
  assert.match(copy, /p, proj:dev-copy:ci, applications, get, devel\/x, deny/)
})

test("rules follow a name whatever was typed on the way, and rules of one's own stay", () => {
  const began = copiedProject(stored)
  const typedVia = (...names: string[]) =>
    names.reduce((project, name) => renamedProject(project, name, began), began)
  const renamed = typedVia('', 'd', 'devel', 'new')
  assert.deepEqual(renamed, typedVia('new'))
  assert.match(JSON.stringify(renamed), /proj:new:ci, applications, get, new\/\*/)
  assert.match(JSON.stringify(renamed), /proj:new:ci, applications, get, devel\/x, deny/)
  const own = withField(began, 'roles', [{ name: 'ci', policies: ['p, proj:dev-copy:ci, own'] }])
  assert.match(JSON.stringify(renamedProject(own, 'new', began)), /proj:dev-copy:ci, own/)
})

test('a field of the form changes that field alone', () => {
  const [place] = destinationsOf(stored)
  assert.ok(place)
  const destinations = destinationObjects([{ ...place, namespace: 'web' }])
  const changed = withField(editedProject(stored), 'destinations', destinations)
  assert.deepEqual(changed['spec'], {
    ...(editedProject(stored)['spec'] as object),
    destinations: [{ server: '*', namespace: 'web' }],
  })
})
