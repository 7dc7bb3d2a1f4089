/** The range of the addresses of Services. */
export const serviceRange = '10.96.0.0/16'
/** The range of the addresses of pods. */
export const podRange = '10.244.0.0/16'

/** The place of a node in its cluster. */
export interface NodePlace {
  readonly name: string
  readonly address: string
  /** The range of the addresses of its pods. */
  readonly pods: string
}

/** Returns the place of a node, the first of which has the number 1. */
export function nodePlace(number: number): NodePlace {
  const name = `node-${number}`
  // A cluster divides the range among its nodes in the order in which they join.
  return { name, address: `10.201.0.${number}`, pods: `10.244.${number - 1}.0/24` }
}

/** The address of the first node, where the API server, the name server and what is offered to pods are. */
export const nodeAddress = nodePlace(1).address

/** The names of all nodes that a cluster can have. */
export const nodeNames = [1, 2].map((number) => nodePlace(number).name)
