import com.nimbusds.jose.util.JSONObjectUtils;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads the NFTs of players from the service. */
final class PlayerNfts {
    static final String service = GameServer.setting("SERVICE_URL", "http://127.0.0.1:3000");

    private static final int attempts = 3;
    private final HttpClient client = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();

    /** Returns all of the player's allowlisted NFTs, never a part of them. */
    List<Object> of(String playerToken, boolean isRepeat) {
        var nfts = new ArrayList<>();
        var cursor = "";
        do {
            var page = page(playerToken, cursor);
            if ("cursor_expired".equals(page.get("code"))) {
                // The wallets or the allowlist changed between two pages: begin again, once.
                if (!isRepeat) return of(playerToken, true);
                throw GameServer.Failure.tryLater("cursor_expired", 1);
            }
            nfts.addAll((List<?>) page.get("data"));
            // A short or empty page need not be the last one: only the cursor tells.
            cursor = (String) page.get("nextCursor");
        } while (cursor != null);
        return nfts;
    }

    /** Returns a page, or that the cursor has expired. Waits while the service is unavailable or throttles. */
    private Map<String, Object> page(String playerToken, String cursor) {
        var query = "?cursor=" + URLEncoder.encode(cursor, StandardCharsets.UTF_8);
        var request = HttpRequest.newBuilder(URI.create(service + "/api/public/v1/player/tokens" + query))
                .header("X-Api-Key", GameServer.setting("API_KEY", ""))
                .header("X-Player-Token", playerToken)
                .timeout(Duration.ofSeconds(30))
                .build();
        try {
            for (var attempt = 1; ; attempt++) {
                var response = client.send(request, BodyHandlers.ofString());
                var body = jsonOf(response);
                var code = body.getOrDefault("code", "");
                if (response.statusCode() == 200 || code.equals("cursor_expired")) return body;
                var problem = "HTTP " + response.statusCode() + " " + body;
                if (Set.of("invalid_player_token", "player_token_expired").contains(code))
                    throw GameServer.Failure.signInAgain(problem);
                if (!Set.of(429, 503).contains(response.statusCode()))
                    throw new GameServer.Failure(502, "failed", problem, 0);
                // API Gateway sends no Retry-After when it throttles.
                var seconds = Double.parseDouble(response.headers().firstValue("Retry-After").orElse("" + attempt));
                if (attempt == attempts || seconds > 10) throw GameServer.Failure.tryLater(problem, seconds);
                Thread.sleep((long) (seconds * 1_000));
            }
        } catch (IOException unreached) {
            throw GameServer.Failure.tryLater(unreached, 5);
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }

    /** The answer of the service. Answers of proxies need not be JSON. */
    private static Map<String, Object> jsonOf(HttpResponse<String> response) {
        try {
            return JSONObjectUtils.parse(response.body());
        } catch (ParseException noJson) {
            if (response.statusCode() == 200) throw new IllegalStateException("The answer is no JSON.");
            return Map.of();
        }
    }
}
