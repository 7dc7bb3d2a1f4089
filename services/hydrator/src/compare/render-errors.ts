import { formatLocation } from '@wadi/errors/location.ts'
import type { DirectoryChanges } from '@wadi/changes/applications/application-changes.ts'
import type { Finding } from '@wadi/protocol/gen/wadi/gates/v1/gates_pb.ts'
import type { RenderedDirectory } from '../run/render/render.ts'

/** Returns the errors of a directory with their places: what gates deny is an error for each finding. */
export function renderErrors({
  error,
  place,
  record,
}: Pick<RenderedDirectory, 'error' | 'place' | 'record'>): Required<
  Pick<DirectoryChanges, 'errors' | 'places'>
> {
  const denied = record.findings.filter(({ severity }) => severity === 'deny')
  if (denied.length === 0) return { errors: [error], places: [place] }
  return { errors: denied.map(deniedText), places: denied.map((finding) => finding.place) }
}

function deniedText({ rule, object, field, message, place }: Finding): string {
  const { kind = '', namespace = '', name = '' } = object ?? {}
  const identity = [kind, namespace, name].filter((part) => part !== '').join('/')
  const at = place === undefined ? '' : `${formatLocation(place)}: `
  return `${at}a gate denies ${[rule, identity, field].filter((part) => part !== '').join(' ')}: ${message}`
}
