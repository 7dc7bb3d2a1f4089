import { PullRequestGeneratorSchema } from '@wadi/protocol/gen/argocd/v1alpha1/pull_request_generators_pb.ts'
import { SCMProviderGeneratorSchema } from '@wadi/protocol/gen/argocd/v1alpha1/scm_provider_generators_pb.ts'
import type { DescMessage } from '@bufbuild/protobuf'
import type { ForgeName } from '@wadi/forges/forge-address.ts'

/** The forges that generators can ask. */
export const forgeNames: readonly ForgeName[] = ['github', 'gitlab', 'gitea']

/** The generators that ask a forge, with a field for each. */
export const forgeGenerators: readonly DescMessage[] = [
  SCMProviderGeneratorSchema,
  PullRequestGeneratorSchema,
]

/** Providers that only Argo CD can ask, such as `bitbucket`; each is rejected by name. */
export const unsupportedForges: readonly string[] = [...new Set(forgeGenerators.flatMap(forgesOf))].filter(
  (name) => !forgeNames.some((supported) => supported === name),
)

function forgesOf({ fields, typeName }: DescMessage): string[] {
  return fields.flatMap((field) =>
    field.fieldKind === 'message' && field.message.typeName.startsWith(typeName) ? [field.jsonName] : [],
  )
}

/** Returns the error for a provider that is not supported. */
export function unsupportedForge(name: string): string {
  return `the provider "${name}" is not supported; supported are github, gitlab and gitea`
}
