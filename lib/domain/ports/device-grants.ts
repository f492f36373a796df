import type { DeviceDecision, DeviceGrant, StoredGrant } from '../sign-in/device-grant.ts'

/** The codes of device grants: random, of this deployment. */
export interface DeviceCodes {
  newUserCode(): string
  /** A new device code with a user code in it, and 256 random bits. */
  newDeviceCode(userCode: string): string
}

/** The device grants that are stored (RFC 8628, D101). All times are in milliseconds since 1970. */
export interface DeviceGrants {
  /** Stores a grant. Returns false, and changes nothing, if another one that has not expired has the user code. */
  add(grant: DeviceGrant, now: number): Promise<boolean>
  /** The grant of a user code, also one that has expired; `undefined` if there is none. */
  get(userCode: string): Promise<StoredGrant | undefined>
  /**
   * The grant of a device code, whose poll is noted; `undefined` if there is none. `isTooSoon`: the poll before was less than the
   * interval ago, and this one is not noted.
   */
  poll(
    deviceCode: string,
    now: number,
  ): Promise<{ grant: StoredGrant; isTooSoon: boolean } | undefined>
  /** Stores what a user has decided. Returns false, and changes nothing, if a decision is stored or the grant has expired. */
  decide(userCode: string, decision: DeviceDecision, now: number): Promise<boolean>
  /** Notes that the game has its token. Returns false, and changes nothing, if that was noted before. */
  use(userCode: string, now: number): Promise<boolean>
}
