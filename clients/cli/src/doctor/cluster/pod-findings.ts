import { shortened } from '@wadi/errors/some-of.ts'
import { listAt, objectAt, textAt, valueAt } from '@wadi/fields/json-fields.ts'
import type { Resource } from '@wadi/resources/resource.ts'
import type { Finding } from '@wadi/rpc/diagnostics/finding.ts'

/** The values of the chart about a container, by its name. */
const chartValues: Readonly<Record<string, string>> = {
  'api-gateway': 'apiGateway',
  hydrator: 'hydrator',
  'repo-server': 'repoServer',
  'commit-server': 'commitServer',
  'appset-service': 'appsetService',
  'cmp-server': 'cmpServer',
  mesh: 'small',
  redis: 'redis',
}

const maxMessageLength = 500

/** Finds pods that do not run, or whose containers the kernel ended for their memory. */
export function podFindings(pods: readonly Resource[], namespace: string): Finding[] {
  return pods.flatMap((pod) => {
    const { name } = pod.metadata
    const unscheduled = listAt(pod.status, 'conditions').find(
      (condition) => textAt(condition, 'type') === 'PodScheduled' && textAt(condition, 'status') === 'False',
    )
    const kubectl = `kubectl --namespace ${namespace}`
    const findings = listAt(pod.status, 'containerStatuses').flatMap((container) =>
      containerFindings(pod, container, kubectl),
    )
    if (unscheduled === undefined) return findings
    const message = `pod ${name} has no node: ${textAt(unscheduled, 'message')}`
    return [
      { severity: 'error', area: 'pods', message, remedy: `${kubectl} describe pod ${name}` },
      ...findings,
    ]
  })
}

function containerFindings(pod: Resource, status: unknown, kubectl: string): Finding[] {
  const [{ name: podName }, name] = [pod.metadata, textAt(status, 'name')]
  const place = `pod ${podName}${name === podName ? '' : `, container ${name}`}`
  const ended = [objectAt(status, 'state', 'terminated'), objectAt(status, 'lastState', 'terminated')].find(
    (state) => Object.keys(state).length > 0,
  )
  const findings: Finding[] = []
  if (ended?.['reason'] === 'OOMKilled')
    findings.push(outOfMemory(pod, name, place, valueAt(status, 'restartCount')))
  const waiting = textAt(status, 'state', 'waiting', 'reason')
  if (isTrouble(waiting)) {
    const isEnded = waiting === 'CrashLoopBackOff'
    const words = isEnded ? textAt(ended, 'message') : textAt(status, 'state', 'waiting', 'message')
    const detail = words.trim() === '' ? '' : `: ${shortened(words.trim(), maxMessageLength)}`
    findings.push({
      severity: 'error',
      area: 'pods',
      message: `${place}: ${waiting}${detail}`,
      remedy: isEnded
        ? `${kubectl} logs ${podName} --container ${name} --previous`
        : `${kubectl} describe pod ${podName}`,
    })
  } else if (
    valueAt(status, 'ready') === false &&
    Object.keys(objectAt(status, 'state', 'running')).length > 0
  ) {
    findings.push({
      severity: 'warning',
      area: 'pods',
      message: `${place}: it runs and is not ready`,
      remedy: `${kubectl} logs ${podName} --container ${name}`,
    })
  }
  return findings
}

function outOfMemory(pod: Resource, name: string, place: string, restarts: unknown): Finding {
  const container = listAt(pod.spec, 'containers').find((one) => textAt(one, 'name') === name)
  const limit = textAt(container, 'resources', 'limits', 'memory')
  const value = chartValues[name]
  const setting =
    value === undefined
      ? 'the memory limit of its container'
      : `${value}.resources.limits.memory of the chart`
  return {
    severity: 'error',
    area: 'memory',
    message: `${place}: the kernel ended it as it used more than its memory limit, ${limit || 'that of the node'} (${String(restarts)} restarts)`,
    remedy: `set ${setting} to more than ${limit || 'now'}`,
  }
}

/** True for a reason other than those of a usual start. */
function isTrouble(reason: string): boolean {
  return reason !== '' && reason !== 'ContainerCreating' && reason !== 'PodInitializing'
}
