/** Settings of a production deployment. */
export const prodSettings = {
  stage: 'prod',
  issuer: 'https://login.example',
  userJwtAudience: 'platform',
  playerTokenAudience: 'games',
  serviceToken: `POLYGON:0x${'a'.repeat(40)}:18`,
  loginRoleArn: 'arn:aws:iam::123456789012:role/login',
  alarmEmail: 'operations@studio.example',
}
