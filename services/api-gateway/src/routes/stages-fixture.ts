import assert from 'node:assert/strict'
import { hydratedSpecOf } from '@wadi/hydration/application-status.ts'
import { parseApplication } from '@wadi/resources/application/application.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import { until } from '@wadi/testing/until.ts'
import { branchRecord, openGatewayFixture, repoURL, sampleApplication } from '../gateway-fixture.ts'
import { storeAll } from '../summaries/summaries-fixture.ts'

/** The commits `1` to `5` of the dry repository, of which the last is the newest. */
export const sha = (digit: number) => String(digit).repeat(40)
/** When those commits were made. */
export const date = '2026-08-20T09:00:00Z'

/** Answers with the commits from the smallest to the greatest digit, as a repository with a straight history does. */
export function straightHistory({ shas, limit }: { shas: string[]; limit: number }) {
  const digits = shas.map((each) => Number(each[0])).toSorted((one, other) => one - other)
  const [oldest = 0, newest = oldest] = [digits[0], digits.at(-1)]
  const all = Array.from({ length: newest - oldest + 1 }, (_, index) => newest - index)
  return {
    commits: all.slice(0, limit).map((digit) => ({
      sha: sha(digit),
      author: 'Ada <ada@example.com>',
      date,
      subject: `Change ${digit}\nand more`,
      parents: digit === oldest ? [] : [sha(digit - 1)],
    })),
    hasMore: all.length > limit,
  }
}

interface Placed {
  branch: string
  /** The dry commit of the newest run, and that of the newest success if it is another one. */
  at: number
  held?: number
  hydrateTo?: string
  project?: string
  /** The dry repository, which holds the branches, too. */
  repoUrl?: string
  status?: Record<string, unknown>
  group?: Record<string, unknown>
}

/** An Application on a branch, and the record of the branch. */
export function placed(
  name: string,
  { branch, at, held = at, hydrateTo, project = 'shop', repoUrl = repoURL, ...more }: Placed,
): Resource[] {
  const application = sampleApplication(name, {
    project,
    sourceHydrator: {
      drySource: { repoURL: repoUrl, targetRevision: 'main', path: `apps/${name}` },
      syncSource: { targetBranch: branch, path: name },
      ...(hydrateTo !== undefined && { hydrateTo: { targetBranch: hydrateTo } }),
    },
  })
  const { hydrated } = parseApplication(application)
  const status = { sourceHydrator: { lastSuccessfulOperation: { sourceHydrator: hydrated } } }
  assert.ok(hydratedSpecOf(status))
  const record = branchRecord(application, sha(at))
  const [group] = (record.status?.['groups'] ?? []) as { success: Record<string, unknown> }[]
  const success = { ...group?.success, drySha: sha(held) }
  return [
    {
      ...record,
      spec: { ...record.spec, branch: hydrateTo ?? branch },
      status: {
        ...record.status,
        ...more.status,
        groups: [{ ...group, repoURL: repoUrl, success, ...more.group }],
      },
    },
    { ...application, status },
  ]
}

/** Opens a gateway's context with stages whose dry repository has those commits. */
export async function openStages(
  resources: readonly Resource[],
  peers: Parameters<typeof openGatewayFixture>[0] = {},
) {
  const fixture = await openGatewayFixture({
    hydrator: { listQueuedBranches: () => ({}) },
    repoServer: { listCommitsBetween: straightHistory },
    ...peers,
  })
  await storeAll(fixture.context, resources)
  await until(() => fixture.context.summaries.sorted.every(({ summary }) => summary.phase !== ''))
  return fixture
}
