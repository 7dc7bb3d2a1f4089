import { createHash } from 'node:crypto'
import { byKey } from '@wadi/order/by-name.ts'
import type { MessageInitShape } from '@bufbuild/protobuf'
import type { SourceVerificationSchema } from '@wadi/protocol/gen/wadi/repo_server/v1/repo_server_pb.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import type { AppProject } from '@wadi/resources/project/app-project.ts'
import type { ResourceStore } from '@wadi/resources/store/resource-store.ts'
import { signatureRequirement } from '@wadi/resources/project/signature-policy.ts'

/** The ConfigMap with the known GPG keys, armoured, by key id; Argo CD's. */
export const gpgKeysConfigMap = 'argocd-gpg-keys-cm'

/** The ConfigMap with the known SSH keys: `allowed_signers` and `revoked_keys`, as ssh-keygen reads them. */
export const sshSignersConfigMap = 'wadi-ssh-signers-cm'

/** Whose signatures a commit needs, as repo-server is asked. */
export type Verification = MessageInitShape<typeof SourceVerificationSchema> & {
  policies: readonly object[]
}

/**
 * Returns whose signatures the commits of a dry repository need for the projects that use them, by the projects and keys
 * of now.
 * @param revision what the commit was resolved from
 */
export async function sourceVerification(
  store: Pick<ResourceStore, 'get'>,
  { repoUrl, projects, revision }: { repoUrl: string; projects: readonly AppProject[]; revision: string },
): Promise<Verification> {
  const policies = projects
    .map((project) => signatureRequirement(project, repoUrl))
    .filter((requirement) => requirement !== undefined)
    .map(({ gpgKeys, sshSigners, ...rest }) => ({
      ...rest,
      gpgKeys: [...gpgKeys],
      sshSigners: [...sshSigners],
    }))
  if (policies.length === 0) return { revision, policies }
  return { revision, policies, keys: await knownKeys(store) }
}

/** Returns the public keys that the operator has stored. */
export async function knownKeys(store: Pick<ResourceStore, 'get'>) {
  const [gpg, ssh] = await Promise.all(
    [gpgKeysConfigMap, sshSignersConfigMap].map((name) =>
      store.get('ConfigMap', controlPlaneNamespace, name),
    ),
  )
  const { allowed_signers: allowedSigners = '', revoked_keys: revokedKeys = '' } = ssh?.data ?? {}
  return { gpgKeys: { ...gpg?.data }, allowedSigners, revokedKeys }
}

/** Names what is asked for and which keys are known, whatever the revision; empty when nothing is asked for. */
export function verificationDigest({ policies, keys }: Verification): string {
  if (policies.length === 0) return ''
  const sorted = Object.entries(keys?.gpgKeys ?? {}).toSorted(byKey)
  const text = JSON.stringify([policies, sorted, keys?.allowedSigners, keys?.revokedKeys])
  return createHash('sha256').update(text).digest('base64url').slice(0, 22)
}
