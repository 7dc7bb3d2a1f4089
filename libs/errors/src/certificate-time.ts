const adviceByCode: Readonly<Record<string, string>> = {
  CERT_NOT_YET_VALID: 'by the clock of this machine it is not valid yet: set the clocks of both machines',
  CERT_HAS_EXPIRED:
    'by the clock of this machine it has expired: renew it, or set the clocks of both machines',
}

/** Returns the message of a failed TLS connection; of a certificate that is not valid at this time, with what to do about clocks. */
export function certificateTimeMessage(message: string, error: unknown): string {
  const advice = adviceOf(error)
  return advice === undefined ? message : `${message}; ${advice}`
}

function adviceOf(error: unknown): string | undefined {
  const seen = new Set<unknown>()
  for (let link = error; link instanceof Error && !seen.has(link); link = link.cause) {
    seen.add(link)
    const advice = 'code' in link && typeof link.code === 'string' ? adviceByCode[link.code] : undefined
    if (advice !== undefined) return advice
  }
  return undefined
}
