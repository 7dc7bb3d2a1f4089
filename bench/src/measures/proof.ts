import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { makeSshKey, noSigningPrograms } from '@wadi/testing/signing-keys.ts'
import type { Effort } from '../effort.ts'
import { type BedOptions, type HydrationBed, openHydrationBed } from '../hydration-bed.ts'
import { atMost, type Cost, costText, type Measurement, median, notMeasured } from '../measurement.ts'
import { generateMonorepo, type MonorepoOptions } from '../monorepo/generate-monorepo.ts'
import type { MonorepoApplication } from '../monorepo/monorepo-application.ts'
import { watchMemory } from '../process-tree.ts'
import type { CountedRenderers } from '../renderer-counter.ts'
import { runGit } from '../run-git.ts'
import { runProgram } from '../run-program.ts'
import { hydrateChangeOf, hydrateOneChange } from './change-hydration.ts'
import { hydrateAll } from './hydrate-all.ts'

const changeBar = 1.5
const coldBar = 1.25
const memoryBar = 80
const verifyBar = 3
const standardApplications = 1_000
const standardCommits = 1_000
const standardRounds = 9
const standardVerifications = 5

const launcher = path.join(import.meta.dirname, '../../../wadi')
const mebibyte = 1024 ** 2

const gates = ['secrets', 'api-versions', 'schemas', 'policies']

/** Reports and never denies, so that both sides hydrate the same. */
const policy = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: labels }
spec:
  matchConstraints:
    resourceRules:
      - { apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [configmaps, services] }
  validations: [{ expression: 'has(object.metadata.name)' }]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: { name: labels }
spec: { policyName: labels, validationActions: [Audit] }
`

/** Compares signatures, all gates and attestations with hydration without them, and their verification with that of signatures by git. */
export async function measureProof(
  directory: string,
  effort: Effort,
  { directory: tools }: CountedRenderers,
): Promise<Measurement[]> {
  if (noSigningPrograms) return [notMeasured('proof', noSigningPrograms)]
  const applications = effort.applications(standardApplications)
  const key = await makeSshKey(path.dirname(directory), `${path.basename(directory)}-key`)
  const settings = { WADI_SIGNING_KEY_PATH: `${directory}-key` }
  const open = (name: string, options: BedOptions): Promise<HydrationBed> =>
    openHydrationBed(path.join(directory, name), applications, tools, options)
  await using plain = await open('plain', {})
  await using proved = await open('proved', { settings, generate: generateGated })
  const cold = { plain: await hydrateWatched(plain), proved: await hydrateWatched(proved) }
  const changes: { plain: Cost[]; proved: Cost[] } = { plain: [], proved: [] }
  for (let round = 0; round <= effort.rounds(standardRounds); round++) {
    const [without, withProof] = [await hydrateOneChange(plain, round), await hydrateOneChange(proved, round)]
    // The first one warms up.
    if (round === 0) continue
    changes.plain.push(without)
    changes.proved.push(withProof)
  }
  const of = `${applications} applications`
  const more = (cold.proved.memory - cold.plain.memory) / mebibyte
  const peaks = `${(cold.proved.memory / mebibyte).toFixed(0)} MiB against ${(cold.plain.memory / mebibyte).toFixed(0)} MiB at most`
  return [
    ratio(`proof, one change, ${of}`, median(changes.proved), median(changes.plain), changeBar),
    ratio(`proof, cold, ${of}`, cold.proved.cost, cold.plain.cost, coldBar),
    atMost(`proof, cold, ${of}, memory`, more, 'MiB more', memoryBar, peaks),
    await measureVerification(proved, directory, key.publicKey, effort),
  ]
}

function ratio(name: string, ours: Cost, theirs: Cost, bar: number): Measurement {
  const basis = `${costText(ours)}; without: ${costText(theirs)}`
  return atMost(name, ours.wall / theirs.wall, '× without', bar, basis)
}

/** Hydrates everything for the first time, and watches the memory of the mesh meanwhile. */
async function hydrateWatched(bed: HydrationBed): Promise<{ cost: Cost; memory: number }> {
  using memory = watchMemory(bed.mesh.pid)
  const cost = await hydrateAll(bed)
  const { own, descendants } = memory.peak()
  return { cost, memory: own + descendants }
}

/** The monorepo with all gates on. */
async function generateGated(options: MonorepoOptions): Promise<MonorepoApplication[]> {
  const generated = await generateMonorepo(options)
  const { directory } = options
  const severities = gates.map((gate) => `${gate}: audit`).join(', ')
  await writeFile(path.join(directory, 'wadi.yaml'), `gates: {${severities}}\npolicies: [policies.yaml]\n`)
  await writeFile(path.join(directory, 'policies.yaml'), policy)
  return generated
}

/** Verifies a branch with many hydrated commits in a clone, in turns with git, which verifies the signatures alone. */
async function measureVerification(
  bed: HydrationBed,
  directory: string,
  publicKey: string,
  effort: Effort,
): Promise<Measurement> {
  const commits = effort.applications(standardCommits)
  const [application] = bed.dry.applications
  if (application === undefined) throw new Error('there are no applications')
  const { branch } = application
  const environment = { PATH: process.env['PATH'] ?? '', HOME: directory, GIT_CONFIG_NOSYSTEM: '1' }
  const count = async (): Promise<number> =>
    Number(await runGit(['-C', bed.dry.bare, 'rev-list', '--count', branch], environment))
  for (let n = 1_000_000; (await count()) < commits; n++) await hydrateChangeOf(bed, application, n)
  const keys = path.join(directory, 'allowed-signers')
  await writeFile(keys, `argo-cd@example.com ${publicKey}\n`)
  const clone = path.join(directory, 'verified')
  await runGit(['clone', '--quiet', '--mirror', bed.dry.bare, clone], environment)
  const verify = ['verify', branch, '--key', keys, '--repo', clone, '--repo-url', bed.dry.url]
  const log = ['-C', clone, '-c', `gpg.ssh.allowedSignersFile=${keys}`, 'log', '--show-signature', branch]
  const costs: { wadi: Cost[]; git: Cost[] } = { wadi: [], git: [] }
  for (let round = 0; round <= effort.rounds(standardVerifications); round++) {
    const wadi = await runProgram(launcher, verify, environment)
    const git = await runProgram('git', log, environment)
    // The first one compiles what the command line needs.
    if (round === 0) continue
    costs.wadi.push(wadi)
    costs.git.push(git)
  }
  const [wadi, git] = [median(costs.wadi), median(costs.git)]
  const basis = `${costText(wadi)}; git log --show-signature: ${costText(git)}`
  const name = `wadi verify, ${commits} hydrated commits`
  return atMost(name, wadi.wall / git.wall, '× git log --show-signature', verifyBar, basis)
}
