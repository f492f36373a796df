import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.AllowlistApi;
import org.openapitools.client.api.KeysApi;
import org.openapitools.client.api.PlayerApi;
import org.openapitools.client.api.ProductApi;
import org.openapitools.client.auth.ApiKeyAuth;
import org.openapitools.client.model.AllowedNft;
import org.openapitools.client.model.Allowlisting;
import org.openapitools.client.model.GetAllowedNftsEnvelope;
import org.openapitools.client.model.KeyCreation;
import org.openapitools.client.model.NewKey;
import org.openapitools.client.model.PlayerDetails;
import org.openapitools.client.model.Problem;
import org.openapitools.client.model.ProductChanges;
import org.openapitools.client.model.ProductEvent;
import org.openapitools.client.model.ProductKey;
import org.openapitools.client.model.ProductRegistration;
import org.openapitools.client.model.RawNft;
import org.openapitools.client.model.StructuredNft;
import org.springframework.web.client.RestClientResponseException;

/** Makes twenty calls with the generated client, and prints what it has read, as JSON. */
public final class Calls {
    /** A client with credentials, by the names of their security schemes. */
    private static ApiClient with(Map<String, String> credentials) {
        ApiClient client = new ApiClient().setBasePath(System.getenv("BASE_URL"));
        credentials.forEach((scheme, key) -> ((ApiKeyAuth) client.getAuthentication(scheme)).setApiKey(key));
        return client;
    }

    public static void main(String[] arguments) throws Exception {
        Map<String, Object> read = new LinkedHashMap<>();
        ProductRegistration registration = new ProductRegistration()
                .name("Lee and Mercy")
                .contactEmail("studio@example.com")
                .companyName("Gull Harbour Games");
        ProductKey product = new ProductApi(with(Map.of())).registerProduct(registration).getData();
        ApiClient key = with(Map.of("ApiKey", product.getApiKey().toString()));
        ProductApi products = new ProductApi(key);
        AllowlistApi allowlists = new AllowlistApi(key);
        read.put("name", products.getProduct().getData().getName());
        read.put("newName", products.updateProduct(new ProductChanges().name("Lee and Mercy II")).getData().getName());
        KeyCreation creation = new KeyCreation().label("game servers").scope(KeyCreation.ScopeEnum.READ);
        NewKey created = products.createKey(creation).getData();
        read.put("scope", created.getScope().getValue());
        read.put("keys", products.listKeys().getData().size());
        read.put("endReason", products.endKey(created.getKeyId()).getData().getEndReason());

        String contract = System.getenv("CONTRACT");
        Allowlisting allowlisting = new Allowlisting()
                .chain("BSC")
                .contractAddress(contract)
                .contractDescription("The vessels of the game.")
                .tokens(List.of("1", "2", "3..150"));
        read.put("allowlisted", allowlists.allowlistNfts(allowlisting).getData().size());
        GetAllowedNftsEnvelope first = allowlists.getAllowedNfts(2, null);
        GetAllowedNftsEnvelope second = allowlists.getAllowedNfts(null, first.getNextCursor());
        read.put("first", first.getData().stream().map(AllowedNft::getTokenId).toList());
        read.put("second", second.getData().stream().map(AllowedNft::getTokenId).toList());
        List<ProductEvent> events = products.getEvents(null, null).getData();
        read.put("actions", events.stream().map(ProductEvent::getAction).toList());

        ApiClient user = with(Map.of());
        user.setBearerToken(System.getenv("USER_JWT"));
        String token = new PlayerApi(user).createPlayerToken(product.getProductId()).getData().getToken();
        PlayerDetails details = new PlayerApi(with(Map.of("PlayerTokenHeader", token))).getPlayerDetails(null).getData();
        read.put("userId", details.getUserId());
        read.put("amountText", details.getAmountText());
        PlayerApi others = new PlayerApi(with(Map.of("PlayerTokenHeader", System.getenv("PLAYER_TOKEN"))));
        read.put("otherUserId", others.getPlayerBalance(null).getData().getUserId());
        PlayerApi players = new PlayerApi(with(Map.of("ApiKey", product.getApiKey().toString(), "PlayerTokenHeader", token)));
        List<StructuredNft> structured = players.getStructuredMetadata(null, List.of("BSC"), null, null, null, null).getData();
        read.put("names", structured.stream().map(nft -> nft.getFormattedMetadata().getName()).toList());
        List<RawNft> raw = players.getRawMetadata(null, null, null, null, null, null, null).getData();
        read.put("rawNames", raw.stream().map(nft -> nft.getRawMetadata().get("name")).toList());

        read.put("removed", allowlists.unbindNfts(contract, List.of("1", "2"), "BSC").getData().getRemoved());
        read.put("days", products.getUsage(1).getData().size());
        read.put("algorithm", new KeysApi(with(Map.of())).getKeySet().getKeys().get(0).getAlg());
        try {
            new ProductApi(with(Map.of("ApiKey", System.getenv("WRONG_KEY")))).getProduct();
        } catch (RestClientResponseException failed) {
            read.put("problem", failed.getResponseBodyAs(Problem.class).getCode());
        }
        read.put("deleted", products.deleteProduct("Lee and Mercy II").getSuccess());
        System.out.println(new ObjectMapper().writeValueAsString(read));
    }
}
