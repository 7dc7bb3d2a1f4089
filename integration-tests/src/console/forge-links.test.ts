import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { gitUser } from '../mesh-fixture.ts'
import { sharedConsole } from './browser-fixture.ts'
import { noBrowser } from './chromium.ts'

const code = 'https://code.example.com'

describe('links to the forge', { skip: noBrowser }, () => {
  it('lead from commits, branches, directories and files to the forge that the write credentials name', async () => {
    const { mesh, open } = await sharedConsole()
    const { gateway } = mesh.fixture
    const repository = await mesh.fixture.createRepository('linked', {
      'linked/Chart.yaml': 'apiVersion: v2\nname: linked\nversion: 1.0.0\n',
      'linked/values.yaml': 'size: 1\n',
      'linked/.argocd-source.yaml': '# set\nhelm: {valuesObject: {size: 2}}\n',
      'linked/templates/a.yaml':
        'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: linked}\ndata: {size: "{{ .Values.size }}"}\n',
    })
    await gateway.repositories.createRepository({
      repoUrl: repository.url,
      write: true,
      forge: 'forgejo',
      forgeUrl: code,
      ...gitUser,
    })
    const drySha = await repository.dry.head()
    const branch = 'environments/linked'
    await mesh.fixture.applyAndWait(drySha, { name: 'linked', repoURL: repository.url, branch })
    const hydratedSha = await repository.head(branch)
    const at = `${code}${new URL(repository.url).pathname.replace(/\.git$/, '')}`
    const addressOf = async (page: Awaited<ReturnType<typeof open>>['page'], name: string) =>
      page.getByRole('link', { name }).first().getAttribute('href')
    const [dry, hydrated] = [drySha.slice(0, 7), hydratedSha.slice(0, 7)]
    const application = '/applications/argocd/linked'
    for (const [path, links] of [
      [
        application,
        [
          [`dry commit ${dry}: show on the forge`, `${at}/commit/${drySha}`],
          [`hydrated commit ${hydrated}: show on the forge`, `${at}/commit/${hydratedSha}`],
          [`branch ${branch}: show on the forge`, `${at}/src/branch/${branch}`],
          ['directory linked: show on the forge', `${at}/src/commit/${drySha}/linked`],
        ],
      ],
      [
        `${application}?tab=parameters`,
        [
          [
            'file linked/.argocd-source.yaml: show on the forge',
            `${at}/src/commit/${drySha}/linked/.argocd-source.yaml#L2`,
          ],
        ],
      ],
      [
        `${application}?tab=history`,
        [
          [`dry commit ${dry}: show on the forge`, `${at}/commit/${drySha}`],
          [`hydrated commit ${hydrated}: show on the forge`, `${at}/commit/${hydratedSha}`],
        ],
      ],
      [
        `${application}?tab=changes`,
        [[`hydrated commit ${hydrated}: show on the forge`, `${at}/commit/${hydratedSha}`]],
      ],
      ['/branches', [[`branch ${branch}: show on the forge`, `${at}/src/branch/${branch}`]]],
      [
        `/branch?repository=${encodeURIComponent(repository.url)}&branch=${encodeURIComponent(branch)}`,
        [
          [`branch ${branch}: show on the forge`, `${at}/src/branch/${branch}`],
          [`dry commit ${dry}: show on the forge`, `${at}/commit/${drySha}`],
          [`hydrated commit ${hydrated}: show on the forge`, `${at}/commit/${hydratedSha}`],
        ],
      ],
    ] as const) {
      await using console = await open(path, { user: 'admin' })
      for (const [name, address] of links) assert.equal(await addressOf(console.page, name), address, path)
    }
  })

  it('are for those alone who see an Application of the repository, and where a forge is known', async () => {
    const { mesh } = await sharedConsole()
    const { repository } = await mesh.fixture.hydratedOnce('unlinked')
    const pagesOf = async (gateway: typeof mesh.admin) =>
      (await gateway.repositories.getRepositoryPages({ repoUrl: repository.url })).commit
    assert.equal(await pagesOf(mesh.admin), '')
    await mesh.admin.repositories.createRepository({
      repoUrl: repository.url,
      write: true,
      forge: 'gitlab',
      ...gitUser,
    })
    assert.equal(await pagesOf(mesh.admin), `${repository.url.replace(/\.git$/, '')}/-/commit/{sha}`)
    assert.equal(await pagesOf(await mesh.connectAs('ann')), '')
    const elsewhere = { repoUrl: 'https://github.com/team/elsewhere.git' }
    assert.equal((await mesh.admin.repositories.getRepositoryPages(elsewhere)).commit, '')
  })
})
