/** The code of an `UnauthenticatedError` that rejects the credentials of the service itself, at the Kubernetes API for example, and not its caller's. */
export const ownCredentialsCode = 'own-credentials'
