import { createHash } from 'node:crypto'
import { errorMessage, InvalidInputError } from '@wadi/errors/domain-error.ts'
import {
  sourceVerification,
  type Verification,
  verificationDigest,
} from '@wadi/hydration/source-verification.ts'
import type { ResourceStore } from '@wadi/resources/store/resource-store.ts'
import type { MemberGroup, ObservedGroup } from './branch-run.ts'

/** A group's digest once it is known whose signatures its dry commits need. */
type VerifiedGroup = Pick<ObservedGroup, 'verification' | 'digest'>

/**
 * Reads whose signatures a group's dry commits need, by the projects of all its members: they share the commit. What
 * is asked for is a part of the group's digest, so that another policy or another key makes it run again. A project
 * that cannot be read is an error of its members, which the run reports; nothing is rendered then.
 */
export async function readVerification(
  store: Pick<ResourceStore, 'get'>,
  group: MemberGroup,
): Promise<VerifiedGroup> {
  const { repoUrl, targetRevision: revision, members } = group
  const projects = members.map(({ application }) => application.project)
  try {
    const verification = await sourceVerification(store, { repoUrl, projects, revision })
    return { verification, digest: digestWith(group, verificationDigest(verification)) }
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error
    return { verification: undefined, digest: digestWith(group, errorMessage(error)) }
  }
}

/** Whose signatures one dry commit of a group needs; one that is not the newest is no longer what the revision names. */
export function verificationAt(group: ObservedGroup, drySha: string): Verification | undefined {
  const { verification, targetRevision } = group
  return verification && { ...verification, revision: drySha === group.drySha ? targetRevision : '' }
}

function digestWith({ digest }: MemberGroup, asked: string): string {
  if (asked === '') return digest
  return createHash('sha256').update(`${digest}\n${asked}`).digest('base64url').slice(0, 22)
}
