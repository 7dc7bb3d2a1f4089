import { BlockList, isIP } from 'node:net'

/**
 * Networks that are not part of the public internet (RFC 6890 and the registries behind it): the machine itself, private
 * and link-local ones, those of carriers, and addresses that carry another one inside. Clouds serve metadata from
 * 169.254.0.0/16, fd00::/8 and, Azure, 168.63.129.16.
 */
const ipv4Networks = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
]
const ipv6Networks = [
  '::/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  'fc00::/7',
  'fe80::/9',
  'ff00::/8',
]

const privateNetworks = new BlockList()
for (const network of ipv4Networks) addNetwork(privateNetworks, network)
for (const network of ipv6Networks) addNetwork(privateNetworks, network)

/** Adds an address, or a network as `address/bits`, to a list; returns whether it was one. */
export function addNetwork(list: BlockList, network: string): boolean {
  const [address = '', bits, ...rest] = network.split('/')
  const family = isIP(address)
  if (family === 0 || rest.length > 0) return false
  const most = family === 6 ? 128 : 32
  const length = bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN
  if (!(length <= most)) return false
  list.addSubnet(address, length, family === 6 ? 'ipv6' : 'ipv4')
  return true
}

/** True if a list has an IP address; an IPv4 address inside IPv6 (`::ffff:10.0.0.1`) stands for itself. */
export function hasAddress(list: BlockList, address: string): boolean {
  return list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}

/** True if an IP address is not one of the public internet. */
export function isPrivateAddress(address: string): boolean {
  return hasAddress(privateNetworks, address)
}
