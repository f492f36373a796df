import { dayText, exactTime, timeAgo, timeUntil, utcDayText } from '../shell/time-text.ts'

/** A text for a time (RFC 3339), with the exact time when it is pointed at. */
const Time = ({ time, text }: { time: string; text: string }) => (
  <time dateTime={time} title={exactTime(time)}>
    {text}
  </time>
)

/** The day of a time in the time zone of the user. */
export const Day = ({ time }: { time: string }) => <Time time={time} text={dayText(time)} />

/** How long ago a time is. `now`: milliseconds since 1970. */
export const TimeAgo = ({ time, now }: { time: string; now: number }) => (
  <Time time={time} text={timeAgo(Date.parse(time), now)} />
)

/** How far a time is ahead. `now`: milliseconds since 1970. */
export const TimeUntil = ({ time, now }: { time: string; now: number }) => (
  <Time time={time} text={timeUntil(Date.parse(time), now)} />
)

/** A day in UTC, `yyyy-mm-dd`. */
export const UtcDay = ({ day }: { day: string }) => (
  <time dateTime={day} title={`${day} in UTC`}>
    {utcDayText(day)}
  </time>
)
