/** Every text of the page, but for those of problems of the service. Its readers play games, and do not know the words of developers. */
export const texts = {
  brand: 'Player NFTs',
  signedInAs: 'Signed in as',
  otherWallet: 'Change wallet',
  cancel: 'Cancel',
  loading: 'Loading…',

  signIn: {
    title: 'Sign in with your wallet',
    lead: 'Your wallet shows a message and asks you to sign it. This costs nothing and moves nothing.',
    forGame: 'A game asks for access.',
    forGameLead: 'Sign in, and you see which game it is. It gets nothing before you say yes.',
    wallets: 'Your wallets in this browser',
    olderWallet: 'Wallet of this browser',
    looking: 'Looking for wallets…',
    samplePlayers: 'Sample players',
    samplePlayersLead: 'They exist only on this computer, while npm start runs.',
    asSamplePlayer: (name: string) => `Sign in as ${name}`,
    waiting: 'Look at your wallet: it asks you to connect, and then to sign a message.',
    onPhone: 'My wallet is on my phone',
  },

  noWallet: {
    title: 'There is no wallet in this browser',
    lead: 'A wallet is the app in which you keep your NFTs. Where is yours?',
    phone: 'On your phone',
    phoneSteps:
      'Open your wallet app, and in it its browser. Scan this code there, or enter the address of this page.',
    computer: 'On this computer',
    computerSteps:
      'Install the extension of your wallet for this browser, and load this page again.',
    reload: 'Load the page again',
    qrCode: 'QR code of the address of this page',
    address: 'the address of this page',
  },

  ending: {
    signedOut: 'You are signed out everywhere.',
    signedOutLead: 'Games that verify players themselves can notice it up to 24 hours later.',
    expired: 'Your sign-in has ended.',
    expiredLead:
      'It lasts for an hour, or until you sign out or remove the wallet that you signed in with.',
  },

  account: {
    title: (name: string) => `Hello, ${name}`,
    newTitle: 'You are signed in',
    lead: 'In every game, all your wallets are one player.',
  },

  name: {
    title: 'Your name',
    lead: 'Games show this name.',
    newLead: 'Games show the short address of your wallet, until you choose a name.',
    label: 'Name',
    hint: 'Your wallet asks you to sign once more.',
    change: 'Change the name',
    save: 'Save the name',
    saved: 'The name is saved.',
    missing: 'Enter a name.',
  },

  wallets: {
    title: 'Your wallets',
    lead: 'Games see the NFTs in all of them.',
    added: 'Added on',
    add: 'Add a wallet',
    addTitle: 'Add a wallet',
    addLead:
      'Two wallets sign, one after the other. First the new one: choose where it is. If the same app has several of your wallets, switch to the new one first.',
    addLost:
      'Then one of the wallets that you have here signs too, so that nobody else can add one. If you have lost your only wallet, you can add none.',
    addedNow: 'The wallet is added.',
    remove: 'Remove',
    removeTitle: 'Remove this wallet?',
    removeLead:
      'Games no longer see its NFTs, and access that you gave when you signed in with it ends.',
    removeProof:
      'To confirm, sign with this wallet or with one that you added before it. Choose where it is:',
    removedNow: 'The wallet is removed.',
    last: 'This is your only wallet, so it stays. If you lose it, you can add no other one: add one while you have it.',
    copy: (address: string) => `the address ${address}`,
  },

  consent: {
    title: 'Now sign with a wallet that you have',
    lead: 'The new wallet has signed:',
    wallets: 'Now one of these must sign that you add it, and not the new one:',
    choose: 'Choose where it is. If it is in the same app, switch to it first.',
  },

  move: {
    title: 'Another player has this wallet',
    lead: 'You have signed with it, so you can move it to you.',
    warning: 'If it is the only wallet of that player, that player ends.',
    warningLead:
      'The progress of that player in games stays behind: it does not come to you, and nobody can sign in to it again. If that player is you, sign in with that wallet instead, and keep its progress.',
    move: 'Move the wallet to me',
    movedNow: 'The wallet is yours now.',
  },

  games: {
    title: 'Games with access',
    none: 'No game has access.',
    until: 'until',
    noName: 'A game that no longer exists',
    end: 'End access',
    endTitle: (name: string) => `End the access of ${name}?`,
    endLead:
      'The game cannot sign you in any more. What it already has lasts for up to 24 hours. To end that too, sign out everywhere.',
    ended: 'The access is ended.',
  },

  signOut: {
    title: 'Sign out everywhere',
    lead: 'Ends your sign-in here and the access of all games, on every device.',
    button: 'Sign out everywhere',
    dialogTitle: 'Sign out everywhere?',
    delay:
      'This service refuses the games at once. Game servers that verify players themselves see nothing of it for up to 24 hours.',
  },

  device: {
    enterTitle: 'Connect a game',
    enterLead: 'Does a game show a code, for example on a TV or a console? Enter it here.',
    againTitle: 'Enter the code again',
    label: 'Code of the game',
    hint: 'Eight letters, such as WDJB-MJHT.',
    goOn: 'Continue',
    missing: 'Enter the code that your game shows.',
    title: (game: string) => `Give ${game} access?`,
    facts: 'Who asks',
    game: 'Game',
    company: 'Company',
    code: 'Code',
    asked: 'Asked',
    sameNetwork: 'from your network',
    otherNetwork: 'from another network, or by a web page',
    learns: 'For 30 days, this game can see',
    learnsName: 'your name and your player number',
    learnsWallets: 'the addresses of your wallets',
    learnsNfts:
      'the NFTs in them that the game supports, and how much of the token of this service is in them',
    learnsNothingElse: 'It cannot move anything out of your wallets.',
    compared: 'My game shows this code now.',
    comparedHint: 'Compare all eight letters. If your game shows another code or none, say no.',
    warning: 'Are you in front of this game?',
    warningLead:
      'The code was asked for from another network than yours, or by a web page. That is right if you play on one network and read this on another, such as that of your phone. If somebody has sent you a link or a code, or a web page that is not your game has led you here, say no: somebody else would get access in your place.',
    lastFour: 'The last four letters of the code in your game',
    lastFourHint: 'This page does not show them. Look at the screen of the game.',
    wrongFour: 'Your game shows another code. If it shows none, say no.',
    missingFour: 'Enter the four letters that your game shows. If it shows no code, say no.',
    approve: 'Yes, give access',
    deny: 'No',
    approvedTitle: 'Done',
    approved: (game: string) => `${game} has access. Go back to the game: it goes on by itself.`,
    deniedTitle: 'No access',
    denied: (game: string) => `${game} gets nothing.`,
    expiredTitle: 'This code is too old',
    expired: 'A code is valid for 10 minutes. Let your game show a new one.',
    decidedTitle: 'This code was used before',
    decided: 'Somebody has said yes or no to it already. Let your game show a new one.',
    toAccount: 'To my wallets and games',
  },

  /** What has happened and what to do. The table of problems has the sentences of the codes of the service. */
  failures: {
    wallet: {
      refused: ['You closed the wallet. Nothing happened.', 'Try again.'],
      busy: ['Your wallet already asks you something.', 'Open it, answer, and try again.'],
      wrongAccount: [
        'Your wallet is on another account.',
        'Switch to the right account in your wallet, and try again.',
      ],
      failed: [
        'Your wallet could not do this. Nothing happened.',
        'Open it and see what it says. Then try again.',
      ],
    },
    service: ['The service cannot do this at the moment.', 'Try again in a minute.'],
    noAnswer: ['There was no answer.', 'Check that you are online, and try again.'],
    defect: ['Something went wrong on this page.', 'Load it again.'],
  },
} as const
