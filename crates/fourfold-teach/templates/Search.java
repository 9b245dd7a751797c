// Minimax and alpha-beta for `fourfold check`: one question a line in, one answer a line out.
//
// Everything but the two searches is here. Write them below; a search that is not written yet is
// answered with "unsupported". Run it with `java Search.java`.

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

public class Search {
    static final int INFINITY = 1_000_000_000;
    /** Add the value of every leaf that you visit, in order. */
    static final List<Integer> leaves = new ArrayList<>();

    /** What is searched. MAX and MIN take turns; a state never changes. */
    interface State {
        boolean maxToMove();
        boolean isOver();
        /** MAX's value; only if it is over. */
        int value();
        /** MAX's value at the horizon. */
        int evaluate();
        List<Integer> moves();
        State play(int move);
    }

    /** A search's answer: MAX's value and the best move, the first of equal ones. */
    record Result(int value, Integer move) {}

    // Begin of your searches.

    static Result minimax(State state, int depth) {
        return null;
    }

    static Result alphabeta(State state, int depth, int alpha, int beta) {
        return null;
    }

    // End of your searches.

    /** A tree of numbers. */
    record Tree(Object node, boolean maxToMove) implements State {
        public boolean isOver() {
            return !(node instanceof List);
        }
        public int value() {
            return ((Number) node).intValue();
        }
        public int evaluate() {
            return value();
        }
        public List<Integer> moves() {
            List<Integer> moves = new ArrayList<>();
            for (int child = 0; child < ((List<?>) node).size(); child++) moves.add(child);
            return moves;
        }
        public State play(int move) {
            return new Tree(((List<?>) node).get(move), !maxToMove);
        }
    }

    /** A game of lines. */
    record Game(int width, int height, int line, boolean gravity, int[] weights) {}

    /** A position: cells row by row from the top. MAX, the side to move at the root, has `me`. */
    record Position(Game game, String cells, char mover, char me) implements State {
        public boolean maxToMove() {
            return mover == me;
        }
        private boolean has(int row, int column, char letter) {
            boolean inside = row < game.height && column >= 0 && column < game.width;
            return inside && cells.charAt(row * game.width + column) == letter;
        }
        private boolean hasLine(char letter) {
            int[][] directions = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
            for (int row = 0; row < game.height; row++)
                for (int column = 0; column < game.width; column++)
                    for (int[] to : directions) {
                        int step = 0;
                        while (step < game.line && has(row + to[0] * step, column + to[1] * step, letter)) step++;
                        if (step == game.line) return true;
                    }
            return false;
        }
        public boolean isOver() {
            return hasLine('x') || hasLine('o') || cells.indexOf('.') < 0;
        }
        public int value() {
            int discs = (int) cells.chars().filter(cell -> cell != '.').count();
            for (char letter : new char[] {'x', 'o'})
                if (hasLine(letter)) return letter == me ? 1000 - discs : discs - 1000;
            return 0;
        }
        public int evaluate() {
            int sum = 0;
            for (int cell = 0; cell < cells.length(); cell++)
                if (cells.charAt(cell) != '.') sum += cells.charAt(cell) == me ? game.weights[cell] : -game.weights[cell];
            return sum;
        }
        public List<Integer> moves() {
            List<Integer> moves = new ArrayList<>();
            int options = game.gravity ? game.width : cells.length();
            for (int option = 0; option < options; option++) if (cells.charAt(option) == '.') moves.add(option);
            return moves;
        }
        public State play(int move) {
            int cell = move;
            if (game.gravity)
                while (cell + game.width < cells.length() && cells.charAt(cell + game.width) == '.') cell += game.width;
            String after = cells.substring(0, cell) + mover + cells.substring(cell + 1);
            return new Position(game, after, mover == 'x' ? 'o' : 'x', me);
        }
    }

    /** Reads JSON: maps, lists, numbers, texts and truth values. */
    static class Json {
        private final String text;
        private int at = 0;

        Json(String text) {
            this.text = text;
        }
        private char next() {
            while (Character.isWhitespace(text.charAt(at)) || text.charAt(at) == ',' || text.charAt(at) == ':') at++;
            return text.charAt(at);
        }
        Object read() {
            char first = next();
            if (first == '{') {
                Map<String, Object> map = new LinkedHashMap<>();
                at++;
                while (next() != '}') map.put((String) read(), read());
                at++;
                return map;
            }
            if (first == '[') {
                List<Object> list = new ArrayList<>();
                at++;
                while (next() != ']') list.add(read());
                at++;
                return list;
            }
            int start = at;
            if (first == '"') {
                at = text.indexOf('"', at + 1) + 1;
                return text.substring(start + 1, at - 1);
            }
            while (at < text.length() && ",]} ".indexOf(text.charAt(at)) < 0) at++;
            String word = text.substring(start, at);
            return word.equals("true") || word.equals("false") ? (Object) Boolean.valueOf(word) : (Object) Double.valueOf(word);
        }
    }

    static int number(Object value) {
        return ((Number) value).intValue();
    }

    static State state(Map<?, ?> question) {
        if (question.containsKey("tree")) return new Tree(question.get("tree"), question.get("root").equals("max"));
        Map<?, ?> game = (Map<?, ?>) question.get("game");
        StringBuilder cells = new StringBuilder();
        for (Object row : (List<?>) question.get("board")) cells.append(row);
        int[] weights = new int[cells.length()];
        int cell = 0;
        for (Object row : (List<?>) question.get("weights")) for (Object weight : (List<?>) row) weights[cell++] = number(weight);
        char mover = ((String) question.get("to_move")).charAt(0);
        Game rules = new Game(number(game.get("width")), number(game.get("height")), number(game.get("line")), (Boolean) game.get("gravity"), weights);
        return new Position(rules, cells.toString(), mover, mover);
    }

    public static void main(String[] arguments) throws IOException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            Map<?, ?> question = (Map<?, ?>) new Json(line).read();
            State state = state(question);
            int depth = question.containsKey("depth") ? number(question.get("depth")) : INFINITY;
            leaves.clear();
            boolean pruning = question.get("algorithm").equals("alphabeta");
            Result found = pruning ? alphabeta(state, depth, -INFINITY, INFINITY) : minimax(state, depth);
            String rest = found == null ? "\"unsupported\":true" : "\"value\":" + found.value() + ",\"move\":" + found.move() + ",\"leaves\":" + leaves;
            System.out.println("{\"id\":" + number(question.get("id")) + "," + rest + "}");
        }
    }
}
