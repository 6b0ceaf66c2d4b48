<?php

declare(strict_types=1);

namespace App\Tests\Controller;

use App\Controller\AddComment;
use App\Controller\Edit;
use App\Controller\EditForm;
use App\Http\Form;
use App\Tests\Http\InProcess;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

#[CoversClass(AddComment::class)]
#[CoversClass(Edit::class)]
#[CoversClass(EditForm::class)]
#[CoversClass(Form::class)]
final class FormsTest extends TestCase
{
    private const COMMENT = ['author' => 'Cleo', 'text' => 'Good.'];
    private const EDIT = ['title' => 'tin jar', 'summary' => 'S.', 'body' => 'B.', 'category' => 'metal'];

    private InProcess $site;
    private int $id;

    protected function setUp(): void
    {
        $this->site = new InProcess();
        $this->id = $this->site->item();
        $this->site->item(['category' => 'metal']);
    }

    protected function tearDown(): void
    {
        $this->site->remove();
    }

    public function testACommentIsAddedAndLeadsBackToTheItem(): void
    {
        $response = $this->site->post(
            "/news/$this->id/comment",
            ['author' => '  Cleo Sage ', 'text' => "One\r\n\r\ntwo & <three>\n"],
        );

        self::assertSame(
            [303, "/news/$this->id#comments", 'no-store'],
            [
                $response->getStatusCode(),
                $response->getHeaderLine('Location'),
                $response->getHeaderLine('Cache-Control'),
            ],
        );
        self::assertSame(
            [['news_id' => $this->id, 'author' => 'Cleo Sage', 'text' => "One\n\ntwo & <three>"]],
            $this->site->rows('SELECT news_id, author, text FROM comment'),
        );
        self::assertStringContainsString(
            'two &amp; &lt;three&gt;',
            (string) $this->site->get("/news/$this->id")->getBody(),
        );
    }

    public function testAnEditReplacesTextsAndWords(): void
    {
        $response = $this->site->post("/news/$this->id/edit", self::EDIT + ['author' => 'Mallory', 'id' => '2']);

        self::assertSame([303, "/news/$this->id"], [$response->getStatusCode(), $response->getHeaderLine('Location')]);
        self::assertSame(
            [['id' => $this->id] + self::EDIT + ['author' => 'Ann']],
            $this->site->rows("SELECT id, title, summary, body, category, author FROM news WHERE id = $this->id"),
        );
        self::assertSame(
            [['word' => 'jar'], ['word' => 'tin']],
            $this->site->rows('SELECT word FROM word ORDER BY word'),
        );
    }

    public function testFormsOfWhatIsNotThereAreNotFound(): void
    {
        self::assertSame(404, $this->site->post('/news/99/comment', self::COMMENT)->getStatusCode());
        self::assertSame(404, $this->site->post('/news/99/edit', self::EDIT)->getStatusCode());
        self::assertSame(404, $this->site->get('/news/99/edit')->getStatusCode());
    }

    /** @return iterable<string, array{string, array<string, string|list<string>>, string, string}> */
    public static function refused(): iterable
    {
        yield 'no name' => ['comment', ['author' => ''], 'author', 'is empty'];
        yield 'a field that is not sent' => ['comment', ['text' => []], 'text', 'is empty'];
        yield 'blanks only' => ['comment', ['text' => " \t\n\u{a0}\u{200b} "], 'text', 'is empty'];
        yield 'too long, by characters' => [
            'comment',
            ['author' => str_repeat('ö', 61)],
            'author',
            'has 61 characters; 60 are allowed',
        ];
        yield 'too long a text' => [
            'comment',
            ['text' => str_repeat('x', 2001)],
            'text',
            'has 2001 characters; 2000 are allowed',
        ];
        yield 'two lines for a name' => [
            'comment',
            ['author' => "Bo\nQuince"],
            'author',
            'is not plain text on one line',
        ];
        yield 'a control character' => ['comment', ['text' => "a\x08b"], 'text', 'is not plain text'];
        yield 'a null byte' => ['comment', ['text' => "a\0b"], 'text', 'is not plain text'];
        yield 'no UTF-8' => ['comment', ['text' => "a\xffb"], 'text', 'is not plain text'];
        yield 'nothing for XML' => ['comment', ['text' => "a\u{ffff}b"], 'text', 'is not plain text'];
        yield 'no title' => ['edit', ['title' => '  '], 'title', 'is empty'];
        yield 'too long a title' => [
            'edit',
            ['title' => str_repeat('x', 201)],
            'title',
            'has 201 characters; 200 are allowed',
        ];
        yield 'two lines for a title' => ['edit', ['title' => "a\nb"], 'title', 'is not plain text on one line'];
        yield 'too long a summary' => [
            'edit',
            ['summary' => str_repeat('x', 301)],
            'summary',
            'has 301 characters; 300 are allowed',
        ];
        yield 'too long a body' => [
            'edit',
            ['body' => str_repeat('x', 20_001)],
            'body',
            'has 20001 characters; 20000 are allowed',
        ];
        yield 'a category that is none' => ['edit', ['category' => 'nowhere'], 'category', 'is none of the categories'];
        yield 'no category' => ['edit', ['category' => ''], 'category', 'is empty'];
        yield 'several categories' => ['edit', ['category' => ['glass', 'metal']], 'category', 'is empty'];
    }

    /** @param array<string, string|list<string>> $fields */
    #[DataProvider('refused')]
    public function testRefuses(string $form, array $fields, string $field, string $why): void
    {
        $before = $this->state();
        $response = $this->site->post(
            "/news/$this->id/$form",
            $fields + ($form === 'edit' ? self::EDIT : self::COMMENT),
        );
        $body = (string) $response->getBody();

        self::assertSame(422, $response->getStatusCode());
        self::assertMatchesRegularExpression('~<li><b>' . $field . '</b> ' . preg_quote($why, '~') . '~', $body);
        self::assertStringContainsString('id="' . $field . '-problem"', $body);
        self::assertSame($before, $this->state(), 'nothing is written');
        self::assertTrue(mb_check_encoding($body, 'UTF-8'));
    }

    public function testWhatWasTypedComesBack(): void
    {
        $comment = (string) $this->site->post("/news/$this->id/comment", ['author' => '"Bo"', 'text' => ''])->getBody();
        self::assertStringContainsString('value="&quot;Bo&quot;"', $comment);

        $edit = (string) $this->site->post(
            "/news/$this->id/edit",
            ['title' => '', 'body' => '</textarea>x'] + self::EDIT,
        )->getBody();
        self::assertStringContainsString('&lt;/textarea&gt;x</textarea>', $edit);
        self::assertStringContainsString('<option selected>metal</option>', $edit);
        self::assertStringContainsString(
            '<option selected>glass</option>',
            (string) $this->site->post("/news/$this->id/edit", ['category' => 'nowhere'] + self::EDIT)->getBody(),
        );
    }

    public function testTheLongestAllowedIsAllowed(): void
    {
        $edit = [
            'title' => str_repeat('ö', 200),
            'summary' => str_repeat('ö', 300),
            'body' => str_repeat('ö', 20_000),
            'category' => 'glass',
        ];
        self::assertSame(303, $this->site->post("/news/$this->id/edit", $edit)->getStatusCode());
        self::assertSame(
            303,
            $this->site->post(
                "/news/$this->id/comment",
                ['author' => str_repeat('ö', 60), 'text' => str_repeat('ö', 2_000)],
            )->getStatusCode(),
        );
    }

    /** @return iterable<string, array{array<string, string>, bool}> */
    public static function senders(): iterable
    {
        yield 'no browser' => [[], true];
        yield 'our own page' => [['Sec-Fetch-Site' => 'same-origin', 'Origin' => 'http://localhost'], true];
        yield 'typed by the user' => [['Sec-Fetch-Site' => 'none'], true];
        yield 'an old browser on our page' => [['Origin' => 'http://localhost'], true];
        yield 'another site' => [['Sec-Fetch-Site' => 'cross-site'], false];
        yield 'a neighbour' => [['Sec-Fetch-Site' => 'same-site'], false];
        yield 'another site that claims our origin' => [
            ['Sec-Fetch-Site' => 'cross-site', 'Origin' => 'http://localhost'],
            false,
        ];
        yield 'an old browser elsewhere' => [['Origin' => 'http://evil.example'], false];
        yield 'our name as the start of another' => [['Origin' => 'http://localhost.evil.example'], false];
        yield 'another port of our host' => [['Origin' => 'http://localhost:8080'], false];
        yield 'our name as user' => [['Origin' => 'http://localhost@evil.example'], false];
        yield 'a sandboxed frame' => [['Origin' => 'null'], false];
    }

    /** @param array<string, string> $headers */
    #[DataProvider('senders')]
    public function testOnlyOurOwnFormsAreTaken(array $headers, bool $taken): void
    {
        $before = $this->state();
        $statuses = [
            $this->site->post("/news/$this->id/comment", self::COMMENT, $headers)->getStatusCode(),
            $this->site->post("/news/$this->id/edit", self::EDIT, $headers)->getStatusCode(),
        ];

        self::assertSame($taken ? [303, 303] : [422, 422], $statuses);
        self::assertSame(!$taken, $before === $this->state());
    }

    /** @return list<list<array<string, scalar|null>>> */
    private function state(): array
    {
        return array_map($this->site->rows(...), ['SELECT * FROM news', 'SELECT * FROM comment', 'SELECT * FROM word']);
    }
}
