import type { DescMethod, DescService } from '@bufbuild/protobuf'
import { rpcRuleOf } from './rpc-rules.ts'

/**
 * Reads whose answers have what may be a secret beside text that somebody else chose: rendered objects and values of a repository, and
 * what is made of the request itself. The length of a compressed answer would tell how much of the two is equal (BREACH).
 */
const secretsBesideChosenText = new Set([
  'wadi.api_gateway.v1.ApplicationService/getManifests',
  'wadi.api_gateway.v1.ApplicationService/getParameters',
  'wadi.api_gateway.v1.ApplicationService/getCommitChanges',
  'wadi.api_gateway.v1.ReviewService/compareRevisions',
  'wadi.application_sets.v1.ApplicationSetService/generateApplications',
  'application.ApplicationService/getManifests',
  'application.ApplicationService/managedResources',
  'applicationset.ApplicationSetService/generate',
])

/**
 * Returns whether an answer may be compressed: that of a call which reads what the policy lets its caller see, and is not listed above. Sign-in,
 * tokens, credentials and every other write answer without compression.
 */
export function mayCompress(service: DescService, method: DescMethod): boolean {
  const rule = rpcRuleOf(service, method)
  if (!rule || rule.writes || secretsBesideChosenText.has(`${service.typeName}/${method.localName}`)) {
    return false
  }
  if (rule.access === 'policy') return rule.action === 'get'
  return rule.access === 'filtered' || rule.access === 'passed on'
}
