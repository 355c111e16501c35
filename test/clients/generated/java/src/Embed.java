import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Base64;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.EmbeddingsApi;
import org.openapitools.client.model.EmbeddingsRequest;
import org.openapitools.client.model.EmbeddingsRequest.EncodingFormatEnum;
import org.openapitools.client.model.EmbeddingsRequestInput;

/**
 * Embeds the text in TEXT with the client that openapi-generator has generated, and prints the vector. The vector comes
 * in base64, because what is generated for a list of numbers or a text can't read the list.
 */
public class Embed {
    public static void main(String[] arguments) throws Exception {
        var client = new ApiClient();
        client.setBasePath(System.getenv("BASE_URL"));
        client.setBearerToken(System.getenv("KEY"));
        var request = new EmbeddingsRequest()
            .input(new EmbeddingsRequestInput(System.getenv("TEXT")))
            .encodingFormat(EncodingFormatEnum.BASE64);
        var response = new EmbeddingsApi(client).createEmbeddings(request, null, null, null, null, null);
        byte[] bytes = Base64.getDecoder().decode(response.getData().get(0).getEmbedding().getString());
        var numbers = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer();
        float[] vector = new float[numbers.remaining()];
        numbers.get(vector);
        System.out.println(Arrays.toString(vector));
    }
}
