import path from 'node:path'
import { makeSshKey, noSigningPrograms } from '@wadi/testing/signing-keys.ts'
import type { Effort } from '../effort.ts'
import { type BedOptions, type HydrationBed, openHydrationBed } from '../hydration-bed.ts'
import {
  atMost,
  type Attempt,
  type Cost,
  costText,
  type Measurement,
  median,
  notMeasured,
} from '../measurement.ts'
import { generateGated, generateGatedBranch } from '../monorepo/gated-applications.ts'
import { watchMemory } from '../process-tree.ts'
import type { CountedRenderers } from '../renderer-counter.ts'
import { hydrateOneChange } from './change-hydration.ts'
import { hydrateAll } from './hydrate-all.ts'
import { measureVerification } from './proof-verification.ts'

const changeBar = 1.5
const coldBar = 1.25
const memoryBar = 80
const standardApplications = 1_000
const standardRounds = 9

/** Applications of which the branch that is verified has those of one environment: what is measured are its commits. */
const verifiedApplications = 100

const mebibyte = 1024 ** 2

/** Compares signatures, all gates and attestations with hydration without them, and their verification with that of signatures by git. */
export async function measureProof(
  directory: string,
  effort: Effort,
  { directory: tools }: CountedRenderers,
  attempt: Attempt,
): Promise<void> {
  if (noSigningPrograms) {
    const missing = notMeasured('proof', noSigningPrograms)
    return attempt('signatures', async () => [missing])
  }
  const key = await makeSshKey(path.dirname(directory), `${path.basename(directory)}-key`)
  const settings = { WADI_SIGNING_KEY_PATH: `${directory}-key` }
  const open = (name: string, applications: number, options: BedOptions): Promise<HydrationBed> =>
    openHydrationBed(path.join(directory, name), applications, tools, options)
  await attempt('hydration', async () => {
    const applications = effort.applications(standardApplications)
    await using plain = await open('plain', applications, {})
    await using proved = await open('proved', applications, { settings, generate: generateGated })
    await attempt('cold', () => measureCold(plain, proved))
    return await measureChanges(plain, proved, effort)
  })
  await attempt('verification', async () => {
    const applications = Math.min(effort.applications(verifiedApplications), verifiedApplications)
    await using bed = await open('verified', applications, { settings, generate: generateGatedBranch })
    return await measureVerification(bed, directory, key.publicKey, effort)
  })
}

/** Hydrates everything for the first time without proof, and then with it. */
async function measureCold(plain: HydrationBed, proved: HydrationBed): Promise<Measurement[]> {
  const without = await hydrateWatched(plain)
  const withProof = await hydrateWatched(proved)
  const of = sizeOf(plain)
  const more = (withProof.memory - without.memory) / mebibyte
  const peaks = `${(withProof.memory / mebibyte).toFixed(0)} MiB against ${(without.memory / mebibyte).toFixed(0)} MiB at most`
  return [
    ratio(`proof, cold, ${of}`, withProof.cost, without.cost, coldBar),
    atMost(`proof, cold, ${of}, memory`, more, 'MiB more', memoryBar, peaks),
  ]
}

/** Hydrates changes of one Application without proof and with it, by turns. */
async function measureChanges(
  plain: HydrationBed,
  proved: HydrationBed,
  effort: Effort,
): Promise<Measurement[]> {
  const changes: { plain: Cost[]; proved: Cost[] } = { plain: [], proved: [] }
  for (let round = 0; round <= effort.rounds(standardRounds); round++) {
    const [without, withProof] = [await hydrateOneChange(plain, round), await hydrateOneChange(proved, round)]
    // The first one warms up.
    if (round === 0) continue
    changes.plain.push(without)
    changes.proved.push(withProof)
  }
  const name = `proof, one change, ${sizeOf(plain)}`
  return [ratio(name, median(changes.proved), median(changes.plain), changeBar)]
}

function sizeOf({ dry }: HydrationBed): string {
  return `${dry.applications.length} applications`
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
