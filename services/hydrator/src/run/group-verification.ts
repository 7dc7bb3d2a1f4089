import { createHash } from 'node:crypto'
import { errorMessage, InvalidInputError } from '@wadi/errors/domain-error.ts'
import {
  sourceVerification,
  type Verification,
  verificationDigest,
} from '@wadi/hydration/source-verification.ts'
import type { ResourceStore } from '@wadi/resources/store/resource-store.ts'
import type { GroupRun } from './branch-run.ts'

/**
 * Sets whose signatures each group's dry commits need, by the projects of all its members: they share the commit. What
 * is asked for is a part of the group's digest, so that another policy or another key makes it run again.
 */
export async function readVerifications(
  store: Pick<ResourceStore, 'get'>,
  groups: readonly GroupRun[],
): Promise<void> {
  await Promise.all(groups.map((group) => readVerification(store, group)))
}

/** Whose signatures one dry commit of a group needs; one that is not the newest is no longer what the revision names. */
export function verificationAt(group: GroupRun, drySha: string): Verification | undefined {
  const { verification, targetRevision } = group
  return verification && { ...verification, revision: drySha === group.drySha ? targetRevision : '' }
}

/** A project that cannot be read is an error of its members, which the run reports; nothing is rendered then. */
async function readVerification(store: Pick<ResourceStore, 'get'>, group: GroupRun): Promise<void> {
  const { repoUrl, targetRevision: revision, members } = group
  const projects = members.map(({ application }) => application.project)
  let asked: string
  try {
    group.verification = await sourceVerification(store, { repoUrl, projects, revision })
    asked = verificationDigest(group.verification)
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error
    asked = errorMessage(error)
  }
  if (asked === '') return
  group.digest = createHash('sha256').update(`${group.digest}\n${asked}`).digest('base64url').slice(0, 22)
}
