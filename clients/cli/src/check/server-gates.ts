import { parseQualifiedName } from '../applications/application-name.ts'
import { CommandFailure } from '../command-line/command-failure.ts'
import type { CommandSession } from '../command-line/command-session.ts'
import { gatesOfServer, type OperatorGates } from './operator-gates.ts'

/** The flags beside that of the Application. */
interface ServerGateFlags {
  readonly app: string
  readonly namespace: string
  readonly operatorPolicies?: string
}

/** An Application and what a server asks for of its objects. */
interface ServerGates {
  readonly application: string
  readonly namespace: string
  /** Empty where the operator names none. */
  readonly kubernetesVersion: string
  readonly gates: OperatorGates
}

/**
 * Reads the gates of an Application from the server. Programs run there alone, which a warning says.
 * @throws CommandFailure where files with policies are given, too
 */
export async function readServerGates(
  session: CommandSession,
  { app, namespace, operatorPolicies }: ServerGateFlags,
  name: string,
): Promise<ServerGates> {
  if (operatorPolicies !== undefined)
    throw new CommandFailure(
      'give --operator-policies or --rules-of, not both: the server has the policies of the operator',
    )
  const { applications } = await session.connect('applications')
  const qualified = parseQualifiedName(name, undefined)
  const answer = await applications.getGates(qualified, { signal: session.signal })
  const programs = answer.gates?.programs ?? []
  if (programs.length > 0)
    session.warn(
      `the programs ${programs.join(', ')} of the gate programs run on the server alone; they judge nothing here`,
    )
  return {
    application: app || qualified.name,
    namespace: namespace || answer.destinationNamespace,
    kubernetesVersion: answer.gates?.kubernetesVersion ?? '',
    gates: gatesOfServer(answer),
  }
}
