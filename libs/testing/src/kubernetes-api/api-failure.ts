import type { KindDefinition } from './kind-definition.ts'
import type { SchemaFinding } from './structural-schema.ts'

/** An answer of the API that is not a success. */
export class ApiFailure extends Error {
  readonly code: number
  readonly reason: string
  readonly details: Record<string, unknown>

  constructor(code: number, reason: string, message: string, details: Record<string, unknown> = {}) {
    super(message)
    this.code = code
    this.reason = reason
    this.details = details
  }

  /** The body of the answer, or the object of an ERROR event. */
  get status(): object {
    return {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: this.message,
      reason: this.reason,
      ...(Object.keys(this.details).length > 0 && { details: this.details }),
      code: this.code,
    }
  }
}

function nameOf({ resource: { group, plural } }: KindDefinition): string {
  return group === '' ? plural : `${plural}.${group}`
}

function kindOf({ resource: { group, kind } }: KindDefinition): string {
  return group === '' ? kind : `${kind}.${group}`
}

function detailsOf({ resource: { group, plural } }: KindDefinition, name: string): Record<string, unknown> {
  return { name, ...(group !== '' && { group }), kind: plural }
}

export function notFound(kind: KindDefinition, name: string): ApiFailure {
  return new ApiFailure(404, 'NotFound', `${nameOf(kind)} "${name}" not found`, detailsOf(kind, name))
}

export function alreadyExists(kind: KindDefinition, name: string): ApiFailure {
  const message = `${nameOf(kind)} "${name}" already exists`
  return new ApiFailure(409, 'AlreadyExists', message, detailsOf(kind, name))
}

export function conflict(
  kind: KindDefinition,
  name: string,
  why = 'the object has been modified; please apply your changes to the latest version and try again',
): ApiFailure {
  const message = `Operation cannot be fulfilled on ${nameOf(kind)} "${name}": ${why}`
  return new ApiFailure(409, 'Conflict', message, detailsOf(kind, name))
}

/** A precondition of a deletion does not hold; the server names the kind here and not the plural. */
export function preconditionFailed(kind: KindDefinition, name: string, why: string): ApiFailure {
  const message = `Operation cannot be fulfilled on ${kindOf(kind)} "${name}": ${why}`
  return new ApiFailure(409, 'Conflict', message, { ...detailsOf(kind, name), kind: kind.resource.kind })
}

export function invalid(kind: KindDefinition, name: string, findings: readonly SchemaFinding[]): ApiFailure {
  const { group, kind: kindName } = kind.resource
  const texts = findings.map(({ field, message }) => `${field}: ${message}`)
  const shown = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`
  const message = `${kindOf(kind)} "${name}" is invalid: ${shown}`
  const details = { name, ...(group !== '' && { group }), kind: kindName, causes: findings }
  return new ApiFailure(422, 'Invalid', message, details)
}

export function badRequest(message: string): ApiFailure {
  return new ApiFailure(400, 'BadRequest', message)
}

/** The version, or the moment of a page, is before what the server remembers. */
export function expired(message: string): ApiFailure {
  return new ApiFailure(410, 'Expired', message)
}
