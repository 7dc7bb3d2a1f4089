/** The file with the signed statements about a release, one a line. */
export const attestationFile = 'attestations.intoto.jsonl'
