import { ApiFailure } from './api-failure.ts'
import type { ReceivedRequest } from './api-request.ts'

/** The permitted callers, and the number of requests to reject. */
export class ApiAdmission {
  /** The token that requests must carry. */
  token = 'test-token'
  readonly #forbidden = new Set<string>()
  #busyRequests = 0
  #retryAfterSeconds = 1

  /** Answers the next requests with 429; of a watch this is its start. */
  beBusy(requests: number, retryAfterSeconds: number): void {
    this.#busyRequests = requests
    this.#retryAfterSeconds = retryAfterSeconds
  }

  /** Answers requests for a kind with 403. */
  forbid(plural: string): void {
    this.#forbidden.add(plural)
  }

  allow(plural: string): void {
    this.#forbidden.delete(plural)
  }

  /** Answers a SelfSubjectAccessReview. */
  review(body: unknown): object {
    const review = body as { spec: { resourceAttributes: { resource: string } } }
    const allowed = !this.#forbidden.has(review.spec.resourceAttributes.resource)
    return { ...review, status: { allowed } }
  }

  /** @throws ApiFailure 401, 403 or 429 */
  admit({ token, plural, verb, group, namespace }: ReceivedRequest): void {
    if (token !== this.token) throw new ApiFailure(401, 'Unauthorized', 'Unauthorized')
    if (this.#forbidden.has(plural)) {
      const name = group === '' ? plural : `${plural}.${group}`
      const scope = namespace === undefined ? 'at the cluster scope' : `in the namespace "${namespace}"`
      const what = `cannot ${verb} resource "${plural}" in API group "${group}" ${scope}`
      throw new ApiFailure(403, 'Forbidden', `${name} is forbidden: User "test" ${what}`)
    }
    if (this.#busyRequests === 0) return
    this.#busyRequests--
    throw new ApiFailure(429, 'TooManyRequests', 'the server is busy, please try again later', {
      retryAfterSeconds: this.#retryAfterSeconds,
    })
  }
}
