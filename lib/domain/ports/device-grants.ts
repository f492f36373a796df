import type { DeviceDecision, DeviceGrant, StoredGrant } from '../sign-in/device-grant.ts'

/** The codes of device grants: random, of this deployment. */
export interface DeviceCodes {
  newUserCode(): string
  /** A new device code with a user code in it, and 256 random bits. */
  newDeviceCode(userCode: string): Promise<string>
  /** The user code in a device code; `undefined` if this deployment has not made the device code. */
  userCodeOf(deviceCode: string): Promise<string | undefined>
}

/** The device grants that are stored (RFC 8628, D101). All times are in milliseconds since 1970. */
export interface DeviceGrants {
  /** Stores a grant. Returns false, and changes nothing, if another one that has not expired has the user code. */
  add(grant: DeviceGrant, now: number): Promise<boolean>
  /** The grant of a user code, also one that has expired; `undefined` if there is none. */
  get(userCode: string): Promise<StoredGrant | undefined>
  /** The grant of a device code and the user code in it, also one that has expired; `undefined` if there is none. */
  ofDevice(codes: Pick<DeviceGrant, 'userCode' | 'deviceCode'>): Promise<StoredGrant | undefined>
  /** Notes a poll. Returns false, and changes nothing, if another one was noted since the grant was read. */
  notePoll(grant: StoredGrant, now: number): Promise<boolean>
  /** Stores what a user has decided. Returns false, and changes nothing, if a decision is stored or the grant has expired. */
  decide(userCode: string, decision: DeviceDecision, now: number): Promise<boolean>
  /** Notes that the game has its token. Returns false, and changes nothing, if that was noted before. */
  use(userCode: string, now: number): Promise<boolean>
}
