import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.DefaultResourceRetriever;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import java.net.MalformedURLException;
import java.net.URL;
import java.text.ParseException;
import java.util.Set;

/** Verifies player tokens with the published keys. */
final class PlayerTokens {
    private static final String product = GameServer.setting("PRODUCT_ID", "").toLowerCase();

    private final DefaultJWTProcessor<SecurityContext> processor = new DefaultJWTProcessor<>();

    PlayerTokens() {
        var cooldown = Double.parseDouble(GameServer.setting("KEY_SET_COOLDOWN_SECONDS", "30"));
        // The keys are read again after five minutes, and for an unknown key, once in the cooldown.
        var keys = JWKSourceBuilder.create(keySetUrl(), new DefaultResourceRetriever(5_000, 5_000))
                .cache(5 * 60_000, 15_000)
                .refreshAheadCache(false)
                .rateLimited((long) (cooldown * 1_000))
                .build();
        processor.setJWSKeySelector(new JWSVerificationKeySelector<>(JWSAlgorithm.ES256, keys));
        // The key set also has the keys of user JWTs, which open more: only typ and aud tell the two apart.
        processor.setJWSTypeVerifier(new DefaultJOSEObjectTypeVerifier<>(new JOSEObjectType("player+jwt")));
        var audience = GameServer.setting("PLAYER_TOKEN_AUDIENCE", "player-nfts-local-games");
        var issuer = new JWTClaimsSet.Builder().issuer(GameServer.setting("ISSUER", "player-nfts-local")).build();
        var claims = new DefaultJWTClaimsVerifier<>(audience, issuer, Set.of("exp", "sub"));
        claims.setMaxClockSkew(30);
        processor.setJWTClaimsSetVerifier(claims);
    }

    /** Verifies a player token without a request, and returns the player's user id. */
    String userOf(String playerToken) {
        try {
            var claims = processor.process(playerToken, null);
            var game = claims.getClaim("client_id");
            // Otherwise another game could sign in here with the token that the player gave it (D52).
            if (game == null || game.equals(product)) return claims.getSubject();
            throw GameServer.Failure.signInAgain("The player token is for another game.");
        } catch (ParseException | BadJOSEException refused) {
            throw GameServer.Failure.signInAgain(refused);
        } catch (JOSEException unread) {
            throw GameServer.Failure.tryLater(unread, 5);
        }
    }

    private static URL keySetUrl() {
        try {
            return new URL(PlayerNfts.service + "/.well-known/jwks.json");
        } catch (MalformedURLException mistyped) {
            throw new IllegalStateException("SERVICE_URL is no URL.", mistyped);
        }
    }
}
