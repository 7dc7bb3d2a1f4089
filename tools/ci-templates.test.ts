import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, mkdtempDisposable, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { makeToolsDirectory, renderersMissing } from '@wadi/testing/renderers/renderer-programs.ts'
import { cacheHome } from '@wadi/testing/tool-cache.ts'
import { runTestGit } from '@wadi/testing/test-git.ts'
import { parse } from 'yaml'
import { z } from 'zod'

const repository = path.dirname(import.meta.dirname)
const templates = path.join(repository, 'deploy/ci')
const repoURL = 'https://git.example.com/team/deploy.git'

const step = z.object({ env: z.record(z.string(), z.string()).optional(), run: z.string().optional() })
const githubAction = z.object({ runs: z.object({ steps: z.array(step) }) })
const forgejoWorkflow = z.object({ jobs: z.object({ 'wadi-diff': z.object({ steps: z.array(step) }) }) })
const gitlabTemplate = z.object({
  'wadi-diff': z.object({
    variables: z.record(z.string(), z.string()),
    before_script: z.array(z.string()),
    script: z.array(z.string()),
  }),
})

const configMap = (value: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata: {value: "${value}"}\n`
const application = `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: web, namespace: argocd}
spec:
  destination: {server: https://kubernetes.default.svc, namespace: web}
  sourceHydrator:
    drySource: {repoURL: ${repoURL}, targetRevision: main, path: web}
    syncSource: {targetBranch: environments/prod, path: web}
`

/** A clone of a pull request into `main`, and a directory for what steps write. */
async function startCheckout() {
  const directory = await mkdtempDisposable(path.join(tmpdir(), 'wadi-ci-'))
  const checkout = path.join(directory.path, 'checkout')
  await mkdir(path.join(checkout, 'web'), { recursive: true })
  const git = (...args: string[]) => runTestGit(checkout, args)
  const commit = async (value: string): Promise<void> => {
    await writeFile(path.join(checkout, 'web/a.yaml'), value)
    await git('add', '.')
    await git('-c', 'user.name=Ci', '-c', 'user.email=ci@example.com', 'commit', '--quiet', '-m', 'Change')
  }
  await writeFile(path.join(checkout, 'application.yaml'), application)
  await git('init', '--quiet', '--initial-branch=main')
  await commit(configMap('one'))
  await git('remote', 'add', 'origin', repoURL)
  await git('update-ref', 'refs/remotes/origin/main', 'HEAD')
  await git('checkout', '--quiet', '--detach')
  return {
    directory: directory.path,
    checkout,
    commit,
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  }
}

/** Runs a script of a step as a runner does: `sh -e` in the checkout, with nothing but these variables. */
async function runStep(
  script: string,
  cwd: string,
  variables: Record<string, string>,
): Promise<{ code: number; output: string }> {
  const env = { PATH: process.env['PATH'] ?? '', HOME: cwd, XDG_CACHE_HOME: cacheHome, ...variables }
  const done = Promise.withResolvers<{ code: number; output: string }>()
  execFile('sh', ['-e', '-c', script], { cwd, env }, (error, stdout, stderr) => {
    const code = typeof error?.code === 'number' ? error.code : error ? -1 : 0
    done.resolve({ code, output: `${stdout}${stderr}` })
  })
  return done.promise
}

/** Puts values in the place of `${{ … }}`; one that is not known fails the test. */
function evaluated(text: string, values: Record<string, string>): string {
  return text.replaceAll(/\$\{\{ *(\S+) *\}\}/g, (_, name: string) => {
    const { [name]: value } = values
    assert.ok(value !== undefined, `the template uses ${name}`)
    return value
  })
}

test('the steps of the GitHub action show the changes in the summary, and fail for what breaks', async () => {
  await using work = await startCheckout()
  const { runs } = githubAction.parse(
    parse(await readFile(path.join(templates, 'github/action.yml'), 'utf8')),
  )
  const values = {
    'github.action_path': path.join(templates, 'github'),
    'inputs.base': 'main',
    'inputs.repo': repoURL,
    'runner.temp': work.directory,
  }
  const summary = path.join(work.directory, 'summary.md')
  const run = async (base = 'main') => {
    values['inputs.base'] = base
    await writeFile(summary, '')
    const codes = []
    let printed = ''
    for (const { env = {}, run: script = '' } of runs.steps) {
      const variables = Object.entries(env).map(([name, text]) => [name, evaluated(text, values)])
      const given = { ...Object.fromEntries(variables), GITHUB_STEP_SUMMARY: summary } as Record<
        string,
        string
      >
      // No expression stands in a script, where a name of a branch could be a command.
      assert.doesNotMatch(script, /\$\{\{/)
      const { code, output } = await runStep(script, work.checkout, given)
      codes.push(code)
      printed += output
    }
    return { codes, text: await readFile(summary, 'utf8'), printed }
  }
  await work.commit(configMap('two'))
  const changed = await run()
  assert.deepEqual(changed.codes, [0], changed.printed)
  assert.match(changed.text, /\| `environments\/prod` \| `argocd\/web` \| changed \| ~1 \|/)
  assert.match(changed.text, /\+ {2}value: two/)
  await work.commit('kind: [\n')
  const broken = await run()
  assert.deepEqual(broken.codes, [2], broken.printed)
  assert.match(broken.text, /\*\*Error\*\* `argocd\/web`: .*web\/a\.yaml/)
  const unknown = await run('nowhere')
  assert.deepEqual(unknown.codes, [2], unknown.printed)
  assert.match(
    unknown.text,
    /^### Hydrated changes\n\n {4}.*revision "nowhere" does not exist in this checkout/,
  )
  assert.deepEqual((await run('')).codes, [2])
})

test('the steps of the Forgejo workflow and of the GitLab template print the changes', async () => {
  await using work = await startCheckout()
  await work.commit(configMap('two'))
  const forgejo = forgejoWorkflow.parse(
    parse(await readFile(path.join(templates, 'forgejo/wadi-diff.yaml'), 'utf8')),
  )
  const gitlab = gitlabTemplate.parse(
    parse(await readFile(path.join(templates, 'gitlab/wadi-diff.yml'), 'utf8')),
  )
  // Wadi is at hand: the clone is left out, and with it what needs a remote.
  const isLocal = (line: string): boolean => !/^git (?:clone|fetch) /.test(line)
  const script = forgejo.jobs['wadi-diff'].steps.flatMap(({ run = '' }) => run.split('\n')).filter(isLocal)
  const report = path.join(work.directory, 'report.md')
  const common = { WADI_HOME: repository, WADI_BASE: 'main' }
  const line = script.join('\n').replace('"$WADI_HOME/report.md"', `"${report}"`)
  const { code, output } = await runStep(line, work.checkout, common)
  assert.equal(code, 0, output)
  assert.match(output, /\+ {2}value: two/)
  const job = gitlab['wadi-diff']
  const all = [...job.before_script, ...job.script].filter(isLocal).join('\n')
  const merge = { WADI_HOME: repository, CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main' }
  for (const _ of ['first', 'second']) {
    const { code: ended, output: printed } = await runStep(all, work.checkout, merge)
    assert.equal(ended, 0, printed)
    assert.match(printed, /- Objects: 1 changed\n/)
  }
})

const chart = {
  'web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
  'web/templates/web.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata: {helm: "{{ .Capabilities.HelmVersion.Version }}"}\n',
}

/** Runs the script of the templates in the checkout of a pull request with these files. */
async function runOn(
  { checkout, directory, commit }: Awaited<ReturnType<typeof startCheckout>>,
  files: Readonly<Record<string, string>>,
  toolsDirectory: string,
) {
  for (const [file, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(checkout, file)), { recursive: true })
    await writeFile(path.join(checkout, file), text)
  }
  await commit(configMap('one'))
  const variables = { WADI: path.join(repository, 'wadi'), WADI_TOOLS_DIRECTORY: toolsDirectory }
  const report = path.join(directory, 'report.md')
  return runStep(`"${templates}/wadi-diff.sh" main "${report}"`, checkout, variables)
}

test(
  'a pull request is compared with the versions that git names, and one that is missing fails with what to do',
  { skip: renderersMissing ?? false },
  async () => {
    using tools = makeToolsDirectory()
    await using work = await startCheckout()
    const version = (name: string) => ({ 'web/.argocd-source.yaml': `helm: {version: ${name}}\n` })
    const whole = await runOn(work, { ...chart, 'wadi.yaml': 'tools:\n  helm: 3.22.0\n' }, tools.path)
    assert.equal(whole.code, 0, whole.output)
    assert.match(whole.output, /\+ {2}helm: v3\.22\.0/)
    assert.match(whole.output, /helm 3\.22\.0 renders, named in wadi\.yaml:2/)
    const directory = await runOn(work, version('4.3.1'), tools.path)
    assert.equal(directory.code, 0, directory.output)
    assert.match(directory.output, /\+ {2}helm: v4\.3\.1/)
    const missing = await runOn(work, version('4.9.9'), tools.path)
    assert.equal(missing.code, 2, missing.output)
    assert.match(
      missing.output,
      /\*\*Error\*\* `argocd\/web`: .*web\/\.argocd-source\.yaml:1.* 4\.9\.9 is not installed; .*wadi tools add helm 4\.9\.9/,
    )
  },
)

test(
  'without a version in git a pull request is compared with the one that the fetched branch keeps',
  { skip: renderersMissing ?? false },
  async () => {
    using tools = makeToolsDirectory()
    await using work = await startCheckout()
    const git = (...args: string[]) => runTestGit(work.checkout, args)
    const file = path.join(work.checkout, 'hydrator.metadata')
    await git('checkout', '--quiet', '--orphan', 'hydrated')
    await writeFile(file, JSON.stringify({ tools: [{ name: 'helm', version: 'v4.3.1' }] }))
    await work.commit(configMap('one'))
    await git('update-ref', 'refs/remotes/origin/environments/prod', 'HEAD')
    await git('checkout', '--quiet', '--detach', 'origin/main')
    const kept = await runOn(work, chart, tools.path)
    assert.equal(kept.code, 0, kept.output)
    assert.match(kept.output, /\+ {2}helm: v4\.3\.1/)
    assert.match(kept.output, /helm 4\.3\.1 renders, kept by branch environments\/prod/)
    const without = await runOn(work, { 'web/values.yaml': 'a: b\n' }, '/nonexistent')
    assert.equal(without.code, 0, without.output)
    assert.match(
      without.output,
      /4\.3\.1, kept by branch environments\/prod, is not on this machine; .*wadi tools add helm 4\.3\.1/,
    )
  },
)
