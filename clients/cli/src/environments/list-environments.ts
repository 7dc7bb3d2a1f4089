import type { Environments } from '@wadi/protocol/gen/wadi/api_gateway/v1/environment_service_pb.ts'
import type { CommandSession } from '../command-line/command-session.ts'

const page = 50

/** Reads the stages of all dry repositories, or of one, and why the queue cannot be read. */
export async function listEnvironments(
  session: CommandSession,
  repository: string,
): Promise<{ environments: Environments[]; queueError: string }> {
  const server = await session.connect('environments')
  const environments: Environments[] = []
  for (;;) {
    // Stages alone are printed.
    const request = { repository, commits: 1, offset: environments.length, limit: page }
    const answer = await server.environments.listEnvironments(request, { signal: session.signal })
    environments.push(...answer.environments)
    if (answer.environments.length < page) return { environments, queueError: answer.queueError }
  }
}
