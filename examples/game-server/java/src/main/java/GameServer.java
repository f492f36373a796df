import com.nimbusds.jose.util.JSONObjectUtils;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.Executors;

/** A game's own server: the game sends a player token and gets the player's NFTs. The API key never leaves the server. */
public final class GameServer {
    /** A word for the game, with the status, and the seconds after which it can try again. */
    static final class Failure extends RuntimeException {
        final int status;
        final String word;
        final double retryAfter;

        Failure(int status, String word, Object cause, double retryAfter) {
            super(word + ": " + cause);
            this.status = status;
            this.word = word;
            this.retryAfter = retryAfter;
        }

        static Failure signInAgain(Object cause) {
            return new Failure(401, "sign_in_again", cause, 0);
        }

        static Failure tryLater(Object cause, double seconds) {
            return new Failure(503, "try_again_later", cause, seconds);
        }
    }

    private final PlayerTokens playerTokens = new PlayerTokens();
    private final PlayerNfts playerNfts = new PlayerNfts();

    /** A variable of the environment, which the README describes. */
    static String setting(String name, String standard) {
        return System.getenv().getOrDefault(name, standard);
    }

    public static void main(String[] arguments) throws IOException {
        if (setting("API_KEY", "").isEmpty()) throw new IllegalStateException("Set API_KEY to an API key of your product.");
        var address = new InetSocketAddress(InetAddress.getByName("127.0.0.1"), Integer.parseInt(setting("PORT", "8080")));
        var server = HttpServer.create(address, 0);
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/", new GameServer()::handle);
        server.start();
        System.out.println("The game server runs at http://127.0.0.1:" + server.getAddress().getPort());
    }

    /** Answers GET /nfts with the header Authorization: Bearer <player token>. */
    private void handle(HttpExchange exchange) throws IOException {
        var isKnown = exchange.getRequestMethod().equals("GET") && exchange.getRequestURI().toString().equals("/nfts");
        if (!isKnown) {
            answer(exchange, 404, Map.of("error", "not_found"));
            return;
        }
        try {
            var authorization = exchange.getRequestHeaders().getFirst("Authorization");
            var playerToken = authorization == null ? "" : authorization.replaceFirst("(?i)^Bearer +", "");
            var userId = playerTokens.userOf(playerToken);
            answer(exchange, 200, Map.of("userId", userId, "nfts", playerNfts.of(playerToken, false)));
        } catch (Failure failure) {
            if (failure.status != 401) System.err.println(failure.getMessage());
            if (failure.status == 503) exchange.getResponseHeaders().set("Retry-After", "%.0f".formatted(failure.retryAfter));
            answer(exchange, failure.status, Map.of("error", failure.word));
        } catch (RuntimeException unexpected) {
            unexpected.printStackTrace();
            answer(exchange, 502, Map.of("error", "failed"));
        }
    }

    private static void answer(HttpExchange exchange, int status, Map<String, ?> body) throws IOException {
        var bytes = JSONObjectUtils.toJSONString(body).getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        // The list belongs to one player: no cache may keep it.
        exchange.getResponseHeaders().set("Cache-Control", "no-store");
        exchange.sendResponseHeaders(status, bytes.length);
        try (var stream = exchange.getResponseBody()) {
            stream.write(bytes);
        }
    }
}
