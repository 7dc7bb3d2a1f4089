import { Buffer } from 'node:buffer'
import { randomInt } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { createKeyedLock } from '@wadi/concurrency/keyed-lock.ts'
import { InvalidInputError, ResourceExhaustedError, UnauthenticatedError } from '@wadi/errors/domain-error.ts'
import { type Account, findAccount } from '../accounts/account.ts'
import { isPasswordOf } from '../accounts/password.ts'
import type { SignInObjects } from '../accounts/sign-in-objects.ts'
import type { SharedCounters } from '../limits/shared-counters.ts'
import { sharedSignInFailures } from './shared-sign-in-failures.ts'
import { SignInFailures } from './sign-in-failures.ts'

const maxAtATime = 50
const maxNameBytes = 32

/** Minimum and maximum time of the answer to a password, in milliseconds. */
interface ResponseTime {
  least: number
  most: number
}

/** Options of checking passwords. */
export interface PasswordCheckOptions {
  /** Default: 0.5 to 1 s. */
  responseTime?: ResponseTime | undefined
  /** Counters of failures that all gateways share; default: each counts its own. */
  counters?: SharedCounters | undefined
}

/**
 * Returns the account of a name and a password. Whether it may sign in is not looked at.
 * @throws UnauthenticatedError that does not reveal which half is wrong, ResourceExhaustedError for the 51st at a time
 */
export type PasswordCheck = (name: string, password: string) => Promise<Account>

/**
 * Makes the check of passwords of one gateway. An answer takes a random time whatever it is, and the same work is done
 * for names without an account, so that neither reveals anything.
 */
export function createPasswordCheck(
  objects: SignInObjects,
  now: () => number,
  { responseTime = { least: 500, most: 1_000 }, counters }: PasswordCheckOptions = {},
): PasswordCheck {
  const own = new SignInFailures((name) => findAccount(objects, name) !== undefined)
  const failures = sharedSignInFailures(own, counters)
  let running = 0
  const turns = createKeyedLock()

  async function checkNow(name: string, password: string): Promise<Account> {
    if (await failures.mustWait(name, now())) throw wrong()
    const account = findAccount(objects, name)
    const isRight = await isPasswordOf(account, password)
    if (account && isRight) {
      await failures.forgive(name)
      return account
    }
    await failures.record(name, now())
    throw wrong()
  }

  /** One after the other, so that guesses made at once are counted one by one and leave the gateway time for other calls. */
  function inTurn(name: string, password: string): Promise<Account> {
    return turns.run('all', () => checkNow(name, password))
  }

  return async (name, password) => {
    if (running >= maxAtATime) {
      throw new ResourceExhaustedError('too many people sign in at the same time; try again in a second')
    }
    running++
    const answerTime = setTimeout(randomInt(responseTime.least, responseTime.most + 1))
    try {
      if (Buffer.byteLength(name) > maxNameBytes) {
        throw new InvalidInputError(`Username is too long (${maxNameBytes} bytes max)`)
      }
      if (password === '') throw new UnauthenticatedError('Blank passwords are not allowed')
      return await inTurn(name, password)
    } finally {
      await answerTime
      running--
    }
  }
}

function wrong(): UnauthenticatedError {
  return new UnauthenticatedError('Invalid username or password')
}
