import { shortened } from '@wadi/errors/some-of.ts'
import type { BranchQueue } from '@wadi/queue/branch-queue.ts'
import type { Diagnosis, Finding } from '@wadi/rpc/diagnostics/finding.ts'
import type { ApplicationIndex, Member } from '../applications/application-index.ts'
import { overlaps } from '../run/validate/path-conflicts.ts'
import type { RepositoryNews } from '../watch/repository-news.ts'

/** More say the same of other Applications. */
const maxOverlaps = 20

/** Finds troubles of the queue's server and Applications that claim one place, and says how new commits become known. */
export async function diagnoseHydrator({
  index,
  queue,
  news,
}: {
  index: Pick<ApplicationIndex, 'branchKeys' | 'members'>
  queue: Pick<BranchQueue, 'findings'>
  news: RepositoryNews
}): Promise<Diagnosis> {
  const ofQueue = (await queue.findings()).map((finding): Finding => ({ ...finding, area: 'queue' }))
  return { findings: [...ofQueue, ...overlapFindings(index)], repositories: news.list() }
}

function overlapFindings(index: Pick<ApplicationIndex, 'branchKeys' | 'members'>): Finding[] {
  const members = index.branchKeys().flatMap((key) => index.members(key))
  const places = members.flatMap((member) => {
    const { hydrateTo, syncSource } = member.spec
    const branches = [(hydrateTo ?? syncSource).targetBranch, syncSource.targetBranch]
    return member.branchKeys.map((key, place) => ({ key, branch: branches[place] ?? '', member }))
  })
  const messages = new Map<string, Member>()
  for (const sharing of Map.groupBy(places, ({ key }) => key).values()) {
    const found = overlaps(sharing[0]?.branch ?? '', [...new Set(sharing.map(({ member }) => member))])
    for (const [member, message] of found) messages.set(`${member.name}: ${message}`, member)
  }
  return [...messages].slice(0, maxOverlaps).map(([message, { name }]) => ({
    severity: 'error',
    area: 'applications',
    message: `application ${shortened(message)}`,
    remedy: `wadi app set ${name} --sync-source-path PATH`,
  }))
}
