import { PullRequestGeneratorSchema } from '@wadi/protocol/gen/argocd/v1alpha1/pull_request_generators_pb.ts'
import { SCMProviderGeneratorSchema } from '@wadi/protocol/gen/argocd/v1alpha1/scm_provider_generators_pb.ts'
import type { DescMessage } from '@bufbuild/protobuf'
import type { Forge } from '@wadi/forges/forge.ts'
import { forges } from '@wadi/forges/forges.ts'

/** The things that generators list on a forge. */
export type Listed = 'repositories' | 'pullRequests'

/** Fields of a generator that name a forge. */
export interface ForgeFields {
  /** The forges that it can ask, by field. */
  readonly supported: ReadonlyMap<string, Forge>
  /** Providers that only Argo CD can ask, such as `awsCodeCommit`; each is rejected by name. */
  readonly unsupported: readonly string[]
}

/** Fields of the generators that ask forges, by what they list. */
export const forgeFields: Readonly<Record<Listed, ForgeFields>> = {
  repositories: fieldsOf('repositories', SCMProviderGeneratorSchema),
  pullRequests: fieldsOf('pullRequests', PullRequestGeneratorSchema),
}

/** Returns the fields of a generator that asks forges; undefined for other messages. */
export function forgeFieldsOf(message: DescMessage): ForgeFields | undefined {
  if (message === SCMProviderGeneratorSchema) return forgeFields.repositories
  return message === PullRequestGeneratorSchema ? forgeFields.pullRequests : undefined
}

/** Returns the error for a provider that is not supported. */
export function unsupportedForge(name: string, { supported }: ForgeFields): string {
  const names = [...supported.keys()]
  return `the provider "${name}" is not supported; supported are ${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

function fieldsOf(listed: Listed, { fields, typeName }: DescMessage): ForgeFields {
  const supported = new Map(
    forges.flatMap((forge) => {
      const field = forge[listed]?.field
      return field === undefined ? [] : [[field, forge] as const]
    }),
  )
  const unsupported = fields.flatMap((field) =>
    field.fieldKind === 'message' &&
    field.message.typeName.startsWith(typeName) &&
    !supported.has(field.jsonName)
      ? [field.jsonName]
      : [],
  )
  return { supported, unsupported }
}
