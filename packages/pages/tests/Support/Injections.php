<?php

declare(strict_types=1);

namespace Larder\Tests\Support;

/** Texts of visitors that would be commands to nginx. */
final readonly class Injections
{
    /** @return iterable<string, array{string}> */
    public static function all(): iterable
    {
        foreach ([
            'larder_news_secret', 'larder_news_text', 'larder_news_seal', 'larder_news_signed', 'larder_news_context',
            'larder_news_page', 'secure_link', 'http_cookie', 'http_x_who', 'cookie_sid', 'request_filename',
            'document_root', 'DATE_LOCAL', 'fastcgi_script_name',
        ] as $variable) {
            yield "the variable $variable" => ["<!--# echo var=\"$variable\" encoding=\"none\" -->"];
        }
        foreach ([
            'all variables' => '<!--#printenv -->',
            'a variable of a variable' => '<!--# set var="x" value="$larder_news_secret" --><!--# echo var="x" -->',
            'a condition'
                => '<!--# if expr="$larder_news_secret = /([0-9a-f]+)/" --><!--# echo var="1" --><!--# endif -->',
            'a named piece of a condition'
                => '<!--# if expr="$http_cookie = /(?P<all>.*)/" --><!--# echo var="all" --><!--# endif -->',
            'the part of one visitor' => '<!--# include virtual="/@larder/part/own" -->',
            'the part by context' => '<!--#include virtual="/@larder/part/menu"-->',
            'the key of a context' => '<!--# include virtual="/@=role:editor/@larder/part/menu~page" -->',
            'the place where parts are made' => '<!--# include virtual="/@larder/make/box/latest" -->',
            'a shell' => '<!--# include virtual="/@larder/@shell/page/4~page" -->',
            'a part into a variable' => '<!--# include virtual="/@larder/part/own" set="x" --><!--# echo var="x" -->',
            'a part with waiting' => '<!--# include virtual="/@larder/part/own" wait="yes" -->',
            'a part as a substitute'
                => '<!--# block name="b" -->b<!--# endblock --><!--# include virtual="/" stub="b" -->',
            'a page' => '<!--# include virtual="/page/4" -->',
            'a file' => '<!--# include file="contexts.secrets" -->',
            'a file of the system'
                => '<!--#include file="/etc/passwd" --><!--#include virtual="file:///etc/passwd" -->',
            'a program' => '<!--#exec cmd="id" --><!--#exec cgi="/bin/id" -->',
            'a time' => '<!--#flastmod file="x" --><!--#fsize file="x" --><!--#config timefmt="%s" errmsg="oops" -->',
            'in capitals' => '<!--#ECHO VAR="http_x_who" -->',
            'after a line' => "<!--#\r\n\techo\nvar=\"http_x_who\"\n-->",
            'with other quotes' => "<!--#echo var='http_x_who' -->",
            'without an end' => '<!--# echo var="http_x_who"',
            'without a name' => '<!--#',
            'begun twice' => '<!--<!--# echo var="http_x_who" --># echo var="http_x_who" -->',
            'begun in what is mended' => '<!<!--#--# echo var="http_x_who" --><!--<!--##echo var="http_x_who" -->',
            'percent-encoded' => '%3C!--%23 echo var="http_x_who" --%3E',
            'as references of HTML' => '&lt;!--# echo var="http_x_who" --&gt;&#60;!--&#35;',
            'in UTF-7 and in two bytes' => "+ADw-!--# echo var=\"uri\" -->\xC0\xBC!--# echo var=\"uri\" -->",
            'with a zero' => "<!--\0# echo var=\"http_x_who\" --><!--#\0echo var=\"http_x_who\" -->",
            'the start of a comment' => '<!--',
            'the sign alone' => '# echo var="http_x_who" -->',
            'across buffers' => str_repeat('a', 32_760) . '<!--# echo var="http_x_who" -->',
            'many times' => str_repeat('<!--# echo var="http_x_who" -->', 2_000),
            'a mark' => '<!--larder:' . str_repeat('0', 64) . ':own-->',
            'a mark without its secret' => '<!--larder::own--><!--larder:own-->',
            'an include of ESI'
                => '<esi:include src="/@larder/part/own"/><!--esi <esi:vars>$(HTTP_COOKIE)</esi:vars> -->',
        ] as $name => $text) {
            yield $name => [$text];
        }
    }
}
