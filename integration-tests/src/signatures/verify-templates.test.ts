import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { listAt, objectAt, textAt } from '@wadi/fields/json-fields.ts'
import { readYaml } from '@wadi/manifests/read-yaml.ts'
import { noSigningPrograms } from '@wadi/testing/signing-keys.ts'
import { runTestGit } from '@wadi/testing/test-git.ts'
import { configMap } from '../application-fixture.ts'
import { runShell } from './attestation-fixture.ts'
import { startAttestingMesh } from './attesting-mesh-fixture.ts'

const root = join(import.meta.dirname, '../../..')

async function readTemplate(name: string): Promise<unknown> {
  return readYaml(await readFile(join(root, 'deploy/ci', name), 'utf8'), name).documents[0]?.value
}

describe('templates that verify pull requests', { skip: noSigningPrograms }, async () => {
  if (noSigningPrograms) return
  const mesh = await startAttestingMesh()
  const { fixture, directory, publicKey } = mesh
  after(() => mesh[Symbol.asyncDispose]())

  /** A clone of a repository whose staging branch is to be merged, and that branch with a commit of somebody else on top. */
  async function pullRequests() {
    const name = `pulled-${crypto.randomUUID().slice(0, 8)}`
    const repository = await fixture.createRepository(name, { 'web/a.yaml': configMap('web', '1') })
    const branch = `environments/${name}`
    const hydrateTo = `${branch}-next`
    const application = { name, repoURL: repository.url, branch, path: 'web', syncPath: 'web', hydrateTo }
    await fixture.applyAndWait(await repository.dry.head(), application)
    const good = await repository.head(hydrateTo)
    const forged = await repository.pushForeign(hydrateTo, { 'web/manifest.yaml': configMap('web', 'mine') })
    const clone = join(directory, `clone-${name}`)
    await runTestGit(directory, ['clone', '--quiet', '--no-checkout', repository.directory, clone])
    return { branch, good, forged, clone, url: repository.url }
  }

  test('the GitHub action refuses what Wadi did not attest', async () => {
    const { branch, good, forged, clone, url } = await pullRequests()
    const directoryOfAction = join(root, 'deploy/ci/github/verify')
    const action = await readTemplate('github/verify/action.yml')
    const [step] = listAt(action, 'runs', 'steps')
    const [env, run] = [objectAt(step, 'env'), textAt(step, 'run')]
    assert.doesNotMatch(run, /\$\{\{/)
    const runOn = (commit: string, keys: string) => {
      const values: Record<string, string> = {
        'github.action_path': directoryOfAction,
        'inputs.branch': branch,
        'inputs.commit': commit,
        'inputs.gates': '',
        'inputs.keys': keys,
        'inputs.repo-url': url,
      }
      const evaluated = Object.entries(env).map(([name, text]) => [
        name,
        String(text).replaceAll(
          /\$\{\{ *(\S+) *\}\}/g,
          (_, each: string) => values[each] ?? assert.fail(each),
        ),
      ])
      return runShell(run, clone, Object.fromEntries(evaluated))
    }
    const verified = await runOn(good, publicKey)
    assert.match(verified.output, /: verified\n {2}1 attested commit/)
    assert.equal(verified.code, 0)
    const refused = await runOn(forged, publicKey)
    assert.match(refused.output, /a foreign commit by Foreigner .*; it changes or removes web/)
    assert.equal(refused.code, 1)
    const without = await runOn(good, '')
    assert.match(without.output, /usage: .*WADI_KEYS/)
    assert.equal(without.code, 20)
  })

  test('the GitLab template refuses it too', async () => {
    const { branch, good, forged, clone, url } = await pullRequests()
    const template = await readTemplate('gitlab/wadi-verify.yml')
    const script = listAt(template, 'wadi-verify', 'script').join('\n')
    const runOn = (commit: string) =>
      runShell(script, clone, {
        WADI_HOME: root,
        WADI_KEYS: publicKey,
        WADI_REPO_URL: url,
        CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: commit,
        CI_MERGE_REQUEST_TARGET_BRANCH_NAME: branch,
      })
    assert.deepEqual([(await runOn(good)).code, (await runOn(forged)).code], [0, 1])
  })
})
