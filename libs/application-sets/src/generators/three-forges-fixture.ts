import { someRepositories } from '@wadi/forges/forge-data-fixture.ts'
import { startGitea } from '@wadi/forges/gitea/gitea-fixture.ts'
import { startGithub } from '@wadi/forges/github/github-fixture.ts'
import { startGitlab } from '@wadi/forges/gitlab/gitlab-fixture.ts'
import { addForgeSecret } from '../forges/scm-secret-fixture.ts'
import { startGeneratorFixture } from '../generator-fixture.ts'

/** Starts three forges that want a token and answer in pages of one, and generators that may ask them. */
export async function startThreeForges() {
  await using starting = new AsyncDisposableStack()
  const paged = { wantsToken: true, maxItems: 1 }
  const github = starting.use(await startGithub('acme', someRepositories(), paged))
  const gitlab = starting.use(await startGitlab('acme/apps', someRepositories(), paged))
  const gitea = starting.use(await startGitea('acme', someRepositories(), paged))
  const allowedApis = [github.address, gitlab.address, gitea.address]
  const fixture = starting.use(await startGeneratorFixture({}, { isEnabled: true, allowedApis }))
  await addForgeSecret(fixture.store)
  const running = starting.move()
  return { github, gitlab, gitea, fixture, [Symbol.asyncDispose]: () => running.disposeAsync() }
}
