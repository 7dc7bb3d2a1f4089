import type { BranchSummary } from '@wadi/protocol/gen/wadi/api_gateway/v1/branch_service_pb.ts'
import type { CommandSession } from '../command-line/command-session.ts'

const page = 500

/** Reads all pages of the branches that a text and phases select, and why the queue cannot be read. */
export async function listBranches(
  session: CommandSession,
  selection: { text: string; phases: string[] },
): Promise<{ branches: BranchSummary[]; queueError: string }> {
  const server = await session.connect('branches')
  const branches: BranchSummary[] = []
  for (;;) {
    const request = { ...selection, offset: branches.length, limit: page }
    const answer = await server.branches.listBranches(request, { signal: session.signal })
    branches.push(...answer.branches)
    if (answer.branches.length < page) return { branches, queueError: answer.queueError }
  }
}
