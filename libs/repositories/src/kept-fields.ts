import type { Resource } from '@wadi/resources/resource.ts'
import { readRepositorySecret } from './repository-secret.ts'

/** By what a repository is signed in to: they are replaced together, so that none of another kind is left. */
const signInFields: ReadonlySet<string> = new Set([
  'username',
  'password',
  'bearerToken',
  'sshPrivateKey',
  'githubAppID',
  'githubAppInstallationID',
  'githubInstallationID',
  'githubAppPrivateKey',
  'githubAppEnterpriseBaseUrl',
])

/**
 * Returns a Secret that is sent, with what the stored one says beside how it signs in, its labels and annotations included.
 * @throws InvalidInputError for a stored Secret that cannot be read
 */
export function withOthersOf(sent: Resource, stored: Resource): Resource {
  const { values } = readRepositorySecret(stored)
  const others = Object.entries(values).filter(([field]) => !signInFields.has(field))
  const { labels, annotations } = stored.metadata
  return {
    ...sent,
    metadata: {
      ...sent.metadata,
      labels: { ...labels, ...sent.metadata.labels },
      ...(annotations && { annotations: { ...annotations, ...sent.metadata.annotations } }),
    },
    stringData: { ...Object.fromEntries(others), ...sent.stringData },
  }
}
