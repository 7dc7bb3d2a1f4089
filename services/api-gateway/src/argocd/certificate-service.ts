import type { HandlerContext, ServiceImpl } from '@connectrpc/connect'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type {
  CertificateService,
  RepositoryCertificateCreateRequest,
  RepositoryCertificateQuery,
} from '@wadi/protocol/gen/argocd/certificate/certificate_pb.ts'
import type { RepositoryCertificate } from '@wadi/protocol/gen/argocd/v1alpha1/repository_pb.ts'
import { sshKnownHostsConfigMap, tlsCertificatesConfigMap } from '@wadi/repositories/server-trust.ts'
import type { GatewayContext } from '../context.ts'
import { changeTrust, storedTrust } from '../trusted-servers/store-trust.ts'
import {
  listedAuthorities,
  listedHostKeys,
  type TrustChange,
  type TrustedServer,
  wantedHosts,
  withAuthorities,
  withHostKey,
  withoutAuthorities,
  withoutHostKeys,
} from '../trusted-servers/trusted-servers.ts'

/** The two ConfigMaps, in the order of answers. */
const kinds = [
  { type: 'ssh', configMap: sshKnownHostsConfigMap, list: listedHostKeys, remove: withoutHostKeys },
  { type: 'https', configMap: tlsCertificatesConfigMap, list: listedAuthorities, remove: withoutAuthorities },
] as const

/** Argo CD's CertificateService: which servers are trusted. As in Argo CD, the right is about all of them. */
export function argocdCertificates(context: GatewayContext): ServiceImpl<typeof CertificateService> {
  return {
    listCertificates: async (query: RepositoryCertificateQuery, call) => {
      context.authorization.require(call, 'certificates', 'get', '')
      const isWanted = wantedHosts(query.hostNamePattern, query.certSubType)
      const found = await Promise.all(
        kindsOf(query).map(async ({ configMap, list }) =>
          list(await storedTrust(context, configMap), isWanted),
        ),
      )
      return { metadata: {}, items: found.flat() }
    },
    createCertificate: createCertificate(context),
    deleteCertificate: async (query: RepositoryCertificateQuery, call) => {
      context.authorization.require(call, 'certificates', 'delete', '')
      const isWanted = wantedHosts(query.hostNamePattern, query.certSubType)
      const items: TrustedServer[] = []
      for (const { configMap, remove } of kindsOf(query)) {
        const change = (entries: TrustChange['entries']) => remove(entries, isWanted)
        items.push(...(await changed(context, call, configMap, change)))
      }
      return { metadata: {}, items }
    },
  }
}

/** An error in one of them keeps all of them from being stored. */
function createCertificate(context: GatewayContext) {
  return async ({ certificates, upsert }: RepositoryCertificateCreateRequest, call: HandlerContext) => {
    context.authorization.require(call, 'certificates', 'create', '')
    const given = certificates?.items ?? []
    const unknown = given.find(({ certType }) => certType !== 'ssh' && certType !== 'https')
    if (unknown) throw new InvalidInputError(`unknown certificate type: ${unknown.certType}`)
    const add = (type: string) => (entries: TrustChange['entries']) => {
      const put = type === 'ssh' ? withHostKey : withAuthorities
      return given
        .filter(({ certType }) => certType === type)
        .reduce((before, one: RepositoryCertificate): TrustChange => {
          const after = put(before.entries, one, upsert)
          return { entries: after.entries, changed: [...before.changed, ...after.changed] }
        }, noChange(entries))
    }
    for (const { type, configMap } of kinds) add(type)(await storedTrust(context, configMap))
    const items: TrustedServer[] = []
    for (const { type, configMap } of kinds)
      items.push(...(await changed(context, call, configMap, add(type))))
    return { metadata: {}, items }
  }
}

function noChange(entries: TrustChange['entries']): TrustChange {
  return { entries, changed: [] }
}

/** Stores a change, unless there is none, and returns what it was. */
async function changed(
  context: GatewayContext,
  { signal }: HandlerContext,
  configMap: string,
  change: (entries: TrustChange['entries']) => TrustChange,
): Promise<readonly TrustedServer[]> {
  if (change(await storedTrust(context, configMap)).changed.length === 0) return []
  let outcome: TrustChange | undefined
  await changeTrust(context, signal, configMap, (entries) => {
    // A change that lost a race is made again from the start.
    outcome = change(entries)
    return outcome.changed.length === 0 ? undefined : outcome.entries
  })
  return outcome?.changed ?? []
}

function kindsOf({ certType }: RepositoryCertificateQuery) {
  const wanted = certType === 'tls' ? 'https' : certType
  return kinds.filter(({ type }) => wanted === '' || wanted === '*' || wanted === type)
}
